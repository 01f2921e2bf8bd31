/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_regions.h - the regions of two series of runs, with the gate of --fail-above. */
#ifndef SIS_ANALYSIS_COMPARE_REGIONS_H
#define SIS_ANALYSIS_COMPARE_REGIONS_H

#include "commands/command.h"
#include "query/regression.h"

/* Prints the list with --filter, --sort and --top. ERR_FAILED if a difference fails. */
int compare_regions(struct context *c, const run_list *a, const run_list *b, enum time_of time,
		    const struct limits *limits, struct err *err);

#endif
