/* SPDX-License-Identifier: BSD-3-Clause */
/* stored_check.h - whether the rows of an experiment in the repository are consistent. */
#ifndef SIS_ANALYSIS_STORED_CHECK_H
#define SIS_ANALYSIS_STORED_CHECK_H

#include "repository/database/repository.h"

/* Finds a problem of an experiment of `schema` ("main" or "other"). Sets *problem to a clause that
 * explains the problem ("its own row has an impossible value"), or to NULL if there is no problem.
 * Returns a negative value if the rows could not be read. */
int stored_problem(struct repo *repo, const char *schema, int64_t experiment, const char **problem,
		   struct err *err);
/* Fails if an experiment of the repository has a problem. */
int stored_check(struct repo *repo, int64_t experiment, struct err *err);

#endif
