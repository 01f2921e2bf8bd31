/* SPDX-License-Identifier: BSD-3-Clause */
/* store.h - a classified experiment into the repository, and out of it again. */
#ifndef SIS_ANALYSIS_STORE_H
#define SIS_ANALYSIS_STORE_H

#include "model/experiment.h"
#include "repository/repository.h"

struct store_options {
	const char *name;        /* NULL: application and number */
	const char *role;        /* "seq", "par1", "par" */
	const char *const *fact; /* K=V, NULL-ended; NULL: none */
};

/* Stores it, all or nothing. A run that is there already keeps its number and name, and is stored
 * again only if it was incomplete then. */
int store_experiment(struct repo *repo, const struct experiment *x,
		     const struct store_options *options, int64_t *id, struct err *err);

/* Takes an experiment away, with all that was measured in it. */
int store_remove(struct repo *repo, int64_t id, struct err *err);
/* Takes away what no experiment refers to any more: versions with their regions, machines. *rows:
 * how many. */
int store_sweep(struct repo *repo, int64_t *rows, struct err *err);

#endif
