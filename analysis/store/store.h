/* SPDX-License-Identifier: BSD-3-Clause */
/* store.h - stores an experiment in the repository, and removes it. */
#ifndef SIS_ANALYSIS_STORE_H
#define SIS_ANALYSIS_STORE_H

#include "flow/routines.h"
#include "model/experiment.h"
#include "repository/repository.h"

struct store_options {
	const char *name;        /* NULL: application and number are used */
	const char *role;        /* "seq", "par1", "par" */
	const char *const *fact; /* K=V, NULL-ended; NULL: none */
	/* what import/ gives to the analysis of variables; NULL: the built-in table */
	const struct routines *routines;
	/* Writes further rows of the experiment, in the same transaction; NULL: there are none. */
	int (*further)(struct repo *repo, int64_t experiment, const void *rows, struct err *err);
	const void *rows;
};

/* Stores it completely or not at all. A run that is there already keeps its number and name, and is
 * stored again only if it was incomplete. */
int store_experiment(struct repo *repo, const struct experiment *x,
		     const struct store_options *options, int64_t *id, struct err *err);

/* Removes an experiment with all that was measured in it. */
int store_remove(struct repo *repo, int64_t id, struct err *err);
/* Removes rows that no experiment refers to: versions with their regions, machines. *rows: their
 * number. */
int store_sweep(struct repo *repo, int64_t *rows, struct err *err);

#endif
