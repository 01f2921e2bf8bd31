/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_parts.h - prints what made the difference between two series of runs: the parts of
 * answers/query/difference_parts.h, in seconds, as text or for programs. */
#ifndef SIS_ANALYSIS_COMPARE_PARTS_H
#define SIS_ANALYSIS_COMPARE_PARTS_H

#include "commands/command.h"
#include "answers/query/difference_parts.h"
#include "answers/query/overhead.h"

struct comparison {
	run_list a, b;
	enum time_of time;
	struct difference_parts parts;
	/* mean T_p of each series without probes, in seconds; with TIME_SUM, of p * T_p. NaN: not
	 * known */
	double without[2];
	/* by series and leaf: whether the leaf was measured in all runs of the series */
	bool known[2][SIS_OVERHEADS];
};

/* Prints which series is slower and by how much, and the `lines` largest parts. Text only. */
int compare_print_statement(struct context *c, const struct comparison *of, size_t lines,
			    struct err *err);
/* Prints all parts; --filter, --sort and --top apply. */
int compare_print_parts(struct context *c, const struct comparison *of, struct err *err);

#endif
