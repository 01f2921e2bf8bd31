/* SPDX-License-Identifier: BSD-3-Clause */
/* explain.h - explains where the time of a leaf of the overhead tree came from: regions, processing
 * units, rules. */
#ifndef SIS_ANALYSIS_EXPLAIN_H
#define SIS_ANALYSIS_EXPLAIN_H

#include "repository/database/repository.h"
#include "tables.h"

enum { EXPLAIN_COLUMNS = 16 };
extern const struct column explain_columns[EXPLAIN_COLUMNS];

/* Appends a row of explain_columns for each chosen region and PU (chosen_overheads_load) with time
 * in the node, longest first. Waits have a row for each call path and PU, because waits have
 * causes. Time that the reference runs explain comes from temp.reference_part (references_keep) and
 * has no PU. */
int explain_fill(struct table *table, struct repo *repo, int64_t experiment, enum sis_overhead node,
		 struct err *err);

#endif
