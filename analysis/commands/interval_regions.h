/* SPDX-License-Identifier: BSD-3-Clause */
/* interval_regions.h - `sis-analyze regions --from A --to B`: what was done in that time. */
#ifndef SIS_ANALYSIS_INTERVAL_REGIONS_H
#define SIS_ANALYSIS_INTERVAL_REGIONS_H

#include "commands/command.h"

struct interval_question {
	const char *types, *function; /* as in cmd_regions.c; NULL: all */
	bool is_tree;
	int64_t from_ns, to_ns;       /* after the begin of the run; to_ns < 0: to its end */
};

/* temp.chosen_pu names the processing units. */
int interval_regions_print(struct context *c, int64_t experiment,
			   const struct interval_question *question, struct err *err);

#endif
