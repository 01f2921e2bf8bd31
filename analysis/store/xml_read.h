/* SPDX-License-Identifier: BSD-3-Clause */
/* xml_read.h - an exported experiment, read again. */
#ifndef SIS_ANALYSIS_XML_READ_H
#define SIS_ANALYSIS_XML_READ_H

#include "repository/repository.h"

/* Whether the file begins like an exported experiment, and not like anything else. */
bool xml_is_experiment(const char *path);
/* Its rows into schema `other` (repo_attach_empty), checked: as many as the schema wants,
 * references that lead somewhere, units whose time is accounted for. */
int xml_read(struct repo *repo, const char *path, struct err *err);

#endif
