/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_regions.h - prints how the regions of two series of runs differ, and lets the command
 * fail as --fail-above asks. */
#ifndef SIS_ANALYSIS_COMPARE_REGIONS_H
#define SIS_ANALYSIS_COMPARE_REGIONS_H

#include "commands/command.h"
#include "answers/query/regression.h"

/* Prints the list of regions; --filter, --sort and --top apply. Returns ERR_FAILED if a difference
 * fails. */
int compare_regions(struct context *c, const run_list *a, const run_list *b, enum time_of time,
		    const struct limits *limits, struct err *err);

#endif
