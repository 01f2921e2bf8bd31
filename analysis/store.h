/* store.h - a classified experiment into the repository. */
#ifndef SIS_ANALYSIS_STORE_H
#define SIS_ANALYSIS_STORE_H

#include "experiment.h"
#include "repository.h"

struct store_options {
	const char *name;        /* NULL: application and number */
	const char *role;        /* "seq", "par1", "par" */
	const char *const *fact; /* K=V, NULL-ended; NULL: none */
};

/* Stores it, all or nothing. A run that is there already keeps its number and name, and is stored again
 * only if it was incomplete then. */
int store_experiment(struct repo *repo, const struct experiment *x, const struct store_options *options,
		     int64_t *id, struct err *err);

#endif
