/* SPDX-License-Identifier: BSD-3-Clause */
/* metric_values.h - loads metrics, overheads and a few more values by the names that expressions
 * use. */
#ifndef SIS_ANALYSIS_METRIC_VALUES_H
#define SIS_ANALYSIS_METRIC_VALUES_H

#include <stdbool.h>

#include "base/map.h"
#include "repository/database/repository.h"

struct measure_row {
	int64_t item, pu;
	double *value;    /* by variable; NaN: not measured */
	bool measured;    /* a metric was requested for the item, even if its value is not known */
};
struct measures {
	bool by_node;                 /* set by the caller: items are nodes; if not, regions */
	VEC(char *) variable;         /* canonical names, in the order of their numbers */
	VEC(struct measure_row) row;  /* one for each item and processing unit, unordered */
	struct map by_item_and_pu;    /* (item, pu) -> index in `row` */
};

/* The number of the variable with this name. A new variable is added. The result is negative if
 * there is no such name; then `err` suggests a similar one. Used as an expr_lookup. */
int64_t measure_variable(void *measures, const char *name, struct err *err);
/* Adds, as variables, the metrics that an experiment has in addition to the default ones. */
int measures_add_recorded(struct measures *m, struct repo *repo, int64_t experiment,
			  struct err *err);
/* Whether a variable has values only where the user requested it. All other variables have values
 * in all regions. */
bool measure_is_requested(const struct measures *m, size_t variable);
/* Whether a variable is a time, in seconds. */
bool measure_is_time(const struct measures *m, size_t variable);
/* Loads the rows for all variables. A value that includes what the region calls is the sum over the
 * region's outermost nodes. */
int measures_load(struct measures *m, struct repo *repo, int64_t experiment, struct err *err);
/* Adds `row` to `sum`, which is all NaN at first. Both have a value for each variable. The kind of
 * the variable decides whether values are added up, or the smallest or largest is kept. */
void measures_add(const struct measures *m, double *sum, const double *row);
/* The row of an item and a processing unit, or NULL if there is no such row. */
const struct measure_row *measures_row(const struct measures *m, int64_t item, int64_t pu);
/* Replaces the rows of each item by their sum, as processing unit 0. `pus`, keys (pu, 0): only
 * these processing units count; NULL: all do. */
void measures_fold(struct measures *m, const struct map *pus);
bool measures_has(const struct measures *m, size_t variable); /* whether any row has a value */
void measures_release(struct measures *m);

#endif
