/* SPDX-License-Identifier: BSD-3-Clause */
/* xml_read.h - reads an experiment that was exported as XML. */
#ifndef SIS_ANALYSIS_XML_READ_H
#define SIS_ANALYSIS_XML_READ_H

#include "repository/database/repository.h"

/* Whether the file begins like an exported experiment. */
bool xml_is_experiment(const char *path);
/* Reads the file's rows into schema `other` (repo_attach_empty), and checks them: the number of
 * rows must be as in the schema, references must have targets, and the time of processing units
 * must add up. */
int xml_read(struct repo *repo, const char *path, struct err *err);

#endif
