/* SPDX-License-Identifier: BSD-3-Clause */
/* interval_rows.h - makes a table of what units did in an interval of the run, for SQL
 * statements. */
#ifndef SIS_ANALYSIS_INTERVAL_ROWS_H
#define SIS_ANALYSIS_INTERVAL_ROWS_H

#include "repository/database/repository.h"

/* The time in the interval of which nothing is known, because no event was recorded; and the number
 * of units that have such time. */
struct interval_gaps { int64_t ns; size_t units; };

/* Reads the traces of an experiment, and makes temp.region_summary (drg_node, pu, calls, subs,
 * incl_ns, excl_ns): the values of the interval from `from_ns` to `to_ns` after the begin of the
 * run; to_ns < 0: to the end of the run. From now on, SQLite reads this table instead of the stored
 * one, whose values are those of the whole run. Rows are left out if the repository lacks their
 * node or processing unit. `command` is named in errors. */
int interval_rows_load(struct repo *repo, int64_t experiment, int64_t from_ns, int64_t to_ns,
		       const char *command, struct interval_gaps *gaps, struct err *err);

#endif
