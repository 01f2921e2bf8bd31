/* SPDX-License-Identifier: BSD-3-Clause */
/* stored_check.h - whether the rows of an experiment in the repository fit each other. */
#ifndef SIS_ANALYSIS_STORED_CHECK_H
#define SIS_ANALYSIS_STORED_CHECK_H

#include "repository/repository.h"

/* What is wrong with an experiment of `schema` ("main" or "other"), as the rest of a sentence about
 * it; *problem is NULL if nothing is. Negative: it could not be read. */
int stored_problem(struct repo *repo, const char *schema, int64_t experiment, const char **problem,
		   struct err *err);
/* Fails if there is a problem with an experiment of the repository. */
int stored_check(struct repo *repo, int64_t experiment, struct err *err);

#endif
