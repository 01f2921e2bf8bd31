/* SPDX-License-Identifier: BSD-3-Clause */
/* interval_overheads.h - makes a table of the overheads in an interval of the run, for SQL
 * statements. */
#ifndef SIS_ANALYSIS_INTERVAL_OVERHEADS_H
#define SIS_ANALYSIS_INTERVAL_OVERHEADS_H

#include "answers/query/interval_rows.h"

/* An interval, and sums over the chosen processing units in the interval. */
struct interval_overheads {
	/* times after the begin of the run; to_ns < 0, only before loading: to the end of the
	 * run */
	int64_t from_ns, to_ns;
	bool with_causes;        /* makes the causes of waits, too (interval_causes.h) */
	int64_t useful_ns, leaves_ns;
	/* time that may belong to other leaves, at most (experiment/causes/interval_leaves.h) */
	int64_t uncertain_ns;
	/* largest error of a unit: useful work + leaves - length of the interval */
	int64_t identity_error;
	/* the part of leaves_ns in which it is not known what the units did: UNMEASURED in the
	 * root */
	struct interval_gaps gaps;
};

/* Reads the traces of an experiment, and makes temp.overhead (drg_node, pu, leaf, ns) of the
 * interval. From now on, statements that name no schema, and temp.pu_leaf, read temp.overhead
 * instead of the stored table. temp.chosen_pu names the processing units. `command` is named in
 * errors. */
int interval_overheads_load(struct interval_overheads *o, struct repo *repo, int64_t experiment,
			    const char *command, struct err *err);

#endif
