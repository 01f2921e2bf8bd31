/* SPDX-License-Identifier: BSD-3-Clause */
/* merge.h - the experiments of an attached repository into this one. */
#ifndef SIS_ANALYSIS_MERGE_H
#define SIS_ANALYSIS_MERGE_H

#include "repository/repository.h"

#define MERGE_COLUMNS 4
extern const struct column merge_columns[MERGE_COLUMNS];

/* Takes every experiment of schema `other` (repo_attach) that is not here whole, all or none, and
 * appends a row of merge_columns of each to the table. Begins and ends a transaction; one that
 * failed is open still. */
int merge_other(struct repo *repo, struct table *taken, struct err *err);

#endif
