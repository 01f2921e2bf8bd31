/* SPDX-License-Identifier: BSD-3-Clause */
/* json_read.h - reads an experiment that was exported as JSON. */
#ifndef SIS_ANALYSIS_JSON_READ_H
#define SIS_ANALYSIS_JSON_READ_H

#include "repository/database/repository.h"

/* Whether the file begins like JSON. */
bool json_begins(const char *path);
/* Reads the file's rows into schema `other` (repo_attach_empty), and checks them as xml_read
 * does. */
int json_read(struct repo *repo, const char *path, struct err *err);

#endif
