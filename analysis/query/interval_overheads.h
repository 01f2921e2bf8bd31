/* SPDX-License-Identifier: BSD-3-Clause */
/* interval_overheads.h - the overheads in an interval of the run, as rows for statements. */
#ifndef SIS_ANALYSIS_INTERVAL_OVERHEADS_H
#define SIS_ANALYSIS_INTERVAL_OVERHEADS_H

#include "query/interval_rows.h"

/* An interval, and sums over the chosen processing units in it. */
struct interval_overheads {
	/* after the begin of the run; before it is loaded, to_ns < 0: to its end */
	int64_t from_ns, to_ns;
	bool with_causes;        /* of waits, too: see interval_causes.h */
	int64_t useful_ns, leaves_ns;
	/* at most so much belongs to other leaves (causes/interval_leaves.h) */
	int64_t uncertain_ns;
	int64_t identity_error;  /* of any unit: useful work and leaves, less the interval */
	/* of leaves_ns, as UNMEASURED in the root: it is not known what the units did */
	struct interval_gaps gaps;
};

/* Reads the traces of an experiment, and makes temp.overhead (drg_node, pu, leaf, ns) of the
 * interval. Statements that name no schema read it instead of the stored table from now on, and
 * so does temp.pu_leaf. temp.chosen_pu names the processing units. `command` is named in errors. */
int interval_overheads_load(struct interval_overheads *o, struct repo *repo, int64_t experiment,
			    const char *command, struct err *err);

#endif
