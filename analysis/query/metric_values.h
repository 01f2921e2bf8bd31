/* SPDX-License-Identifier: BSD-3-Clause */
/* metric_values.h - metrics, overheads and a few more values under the names that expressions
 * use. */
#ifndef SIS_ANALYSIS_METRIC_VALUES_H
#define SIS_ANALYSIS_METRIC_VALUES_H

#include <stdbool.h>

#include "base/map.h"
#include "repository/repository.h"

struct measure_row { int64_t region, pu; double *value; /* by variable; NaN: not measured */ };
struct measures {
	VEC(char *) variable;         /* canonical names, in the order of their numbers */
	VEC(struct measure_row) row;  /* a region and a processing unit each, unordered */
	struct map by_region_and_pu;          /* (region, pu) to row */
};

/* The number of a variable, which is added if it is new. Negative: there is no such name, and `err`
 * suggests one. An expr_lookup. */
int64_t measure_variable(void *measures, const char *name, struct err *err);
/* Loads the rows for all variables. */
int measures_load(struct measures *m, struct repo *repo, int64_t experiment, struct err *err);
/* Adds `row` to `sum` (both by variable; `sum` is all NaN at first): values add up, MINT is the
 * smallest. */
void measures_add(const struct measures *m, double *sum, const double *row);
bool measures_has(const struct measures *m, size_t variable); /* some row has a value */
void measures_release(struct measures *m);

#endif
