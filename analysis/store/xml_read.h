/* SPDX-License-Identifier: BSD-3-Clause */
/* xml_read.h - reads an exported experiment. */
#ifndef SIS_ANALYSIS_XML_READ_H
#define SIS_ANALYSIS_XML_READ_H

#include "repository/repository.h"

/* Whether the file begins like an exported experiment. */
bool xml_is_experiment(const char *path);
/* Reads its rows into schema `other` (repo_attach_empty), and checks them: their number fits the
 * schema, references have targets, and the time of processing units adds up. */
int xml_read(struct repo *repo, const char *path, struct err *err);

#endif
