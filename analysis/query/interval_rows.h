/* SPDX-License-Identifier: BSD-3-Clause */
/* interval_rows.h - what units did in an interval of the run, as rows for statements. */
#ifndef SIS_ANALYSIS_INTERVAL_ROWS_H
#define SIS_ANALYSIS_INTERVAL_ROWS_H

#include "repository/repository.h"

/* How much of the interval is not known, because no event was recorded. */
struct interval_gaps { int64_t ns; size_t units; };

/* Reads the traces of an experiment, and makes temp.interval_summary (drg_node, pu, calls, subs,
 * incl_ns, excl_ns): what region_summary has of the whole run, from `from_ns` to `to_ns` after its
 * begin; to_ns < 0: to its end. Rows are left out if the repository lacks their node or processing
 * unit. `command` is named in errors. */
int interval_rows_load(struct repo *repo, int64_t experiment, int64_t from_ns, int64_t to_ns,
		       const char *command, struct interval_gaps *gaps, struct err *err);

#endif
