/* SPDX-License-Identifier: BSD-3-Clause */
/* store.h - stores an experiment in the repository, and removes it. */
#ifndef SIS_ANALYSIS_STORE_H
#define SIS_ANALYSIS_STORE_H

#include "blame/flow/routines.h"
#include "experiment/model/experiment.h"
#include "repository/database/repository.h"

struct store_options {
	const char *name;        /* NULL: a name is chosen (name_to_try of store.c) */
	const char *role;        /* "seq", "par1", "par" */
	bool is_own_run;         /* the user has just made the run (own_sources.h) */
	const char *const *fact; /* K=V, ended by NULL; NULL if there are none */
	/* the routines for the analysis of variables (repository/import/); NULL: the built-in
	 * ones */
	const struct routines *routines;
	/* Writes further rows of the experiment, in the same transaction. NULL if there are
	 * none. */
	int (*further)(struct repo *repo, int64_t experiment, const void *rows, struct err *err);
	const void *rows;
};

/* Stores an experiment completely or not at all. A run that was stored completely before is not
 * stored again. A run that was stored incompletely is stored again under its old number, and under
 * its old name unless `name` is set. */
int store_experiment(struct repo *repo, const struct experiment *x,
		     const struct store_options *options, int64_t *id, struct err *err);

/* Removes an experiment and all its measurements. */
int store_remove(struct repo *repo, int64_t id, struct err *err);
/* Removes rows to which no experiment refers any more: versions with their regions, and machines.
 * Sets *rows to their number. */
int store_sweep(struct repo *repo, int64_t *rows, struct err *err);

#endif
