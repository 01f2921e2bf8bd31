/* SPDX-License-Identifier: BSD-3-Clause */
/* metric_values.h - metrics, overheads and a few more values under the names that expressions
 * use. */
#ifndef SIS_ANALYSIS_METRIC_VALUES_H
#define SIS_ANALYSIS_METRIC_VALUES_H

#include <stdbool.h>

#include "base/map.h"
#include "repository/repository.h"

struct measure_row {
	int64_t item, pu;
	double *value;    /* by variable; NaN: not measured */
	bool measured;    /* a metric was requested there, whether its value is known or not */
};
struct measures {
	bool by_node;                 /* set by the caller; items are nodes, else regions */
	VEC(char *) variable;         /* canonical names, in the order of their numbers */
	VEC(struct measure_row) row;  /* an item and a processing unit each, unordered */
	struct map by_item_and_pu;    /* (item, pu) to row */
};

/* The number of a variable, which is added if it is new. Negative: there is no such name, and `err`
 * suggests one. An expr_lookup. */
int64_t measure_variable(void *measures, const char *name, struct err *err);
/* Adds the metrics that an experiment has beyond the default ones. */
int measures_add_recorded(struct measures *m, struct repo *repo, int64_t experiment,
			  struct err *err);
/* Whether a variable is stored where it was requested; others are known of all regions. */
bool measure_is_requested(const struct measures *m, size_t variable);
/* Whether a variable is a time, in seconds. */
bool measure_is_time(const struct measures *m, size_t variable);
/* Loads the rows for all variables. The value of a region is that of its outermost nodes. */
int measures_load(struct measures *m, struct repo *repo, int64_t experiment, struct err *err);
/* Adds `row` to `sum` (both by variable; `sum` is all NaN at first): values add up, MINT is the
 * smallest. */
void measures_add(const struct measures *m, double *sum, const double *row);
/* The row of an item and a processing unit; NULL: there is none. */
const struct measure_row *measures_row(const struct measures *m, int64_t item, int64_t pu);
/* Adds up the rows of each item, as processing unit 0. `pus`: only those of its keys (pu, 0); NULL:
 * all. */
void measures_fold(struct measures *m, const struct map *pus);
bool measures_has(const struct measures *m, size_t variable); /* some row has a value */
void measures_release(struct measures *m);

#endif
