/* SPDX-License-Identifier: BSD-3-Clause */
/* merge.h - copies the experiments of an attached repository into this one. */
#ifndef SIS_ANALYSIS_MERGE_H
#define SIS_ANALYSIS_MERGE_H

#include "repository/repository.h"

#define MERGE_COLUMNS 4
extern const struct column merge_columns[MERGE_COLUMNS];

/* Copies every experiment of schema `other` (repo_attach) that is not complete here, all or none,
 * and appends a row of merge_columns for each to the table. Begins and ends a transaction; after a
 * failure the transaction is still open. */
int merge_other(struct repo *repo, struct table *taken, struct err *err);

#endif
