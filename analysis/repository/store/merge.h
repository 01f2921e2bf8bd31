/* SPDX-License-Identifier: BSD-3-Clause */
/* merge.h - copies the experiments of an attached repository into this one. */
#ifndef SIS_ANALYSIS_MERGE_H
#define SIS_ANALYSIS_MERGE_H

#include "repository/database/repository.h"

#define MERGE_COLUMNS 4
extern const struct column merge_columns[MERGE_COLUMNS];

/* Copies every experiment of schema `other` (repo_attach) that this repository does not have. Also
 * replaces an incomplete experiment here by a complete one of the same run. Copies all of them or
 * none. For each copied experiment, appends a row of merge_columns to the table. Begins and ends a
 * transaction; after a failure, the transaction is still open. */
int merge_other(struct repo *repo, struct table *taken, struct err *err);

#endif
