/* SPDX-License-Identifier: BSD-3-Clause */
/* overhead.h - an experiment's overhead tree, as commands show it. */
#ifndef SIS_ANALYSIS_OVERHEAD_H
#define SIS_ANALYSIS_OVERHEAD_H

#include <stdio.h>

#include "base/clamp.h"
#include "answers/query/interval_overheads.h"
#include "answers/query/probe_costs.h"
#include "answers/query/reference_runs.h"
#include "repository/database/repository.h"
#include "tables.h"

struct overheads { /* all times in nanoseconds; sums over PUs are divided by `units` */
	char *name, *program;
	int64_t p, t_p, useful;
	/* T_p and T_s without probes (probe_costs.h), or COST_UNKNOWN */
	int64_t t_p_without, t_s_without;
	int64_t units;             /* p, or the number of the chosen PUs */
	bool chosen;               /* all values are of chosen PUs (overheads_load_chosen) */
	bool of_interval;          /* all values are of an interval, whose length is T_p */
	bool complete;
	int64_t t_i;               /* total identified */
	bool has_t_s;              /* t_s, t_o and t_u are known */
	int64_t t_s, t_o, t_u;
	int64_t identity_error;    /* largest error of the identity in any PU */
	int64_t ns[SIS_OVERHEADS]; /* every node of the tree */
	struct references ref;     /* the reference runs, and what they explain */
	bool counted[SIS_METRICS]; /* metrics that have values (overheads_load_counted) */
	bool uncounted_lack;       /* OLOSS_NOCPU of some processes is not known */
	char *lack;                /* how OLOSS_NOCPU was measured; NULL: not recorded */
	VEC(char *) warning;
};

/* seq, par1: the reference runs; 0: chosen as in references_load. */
int overheads_load(struct overheads *o, struct repo *repo, int64_t experiment, int64_t seq,
		   int64_t par1, struct err *err);
/* Loads the overheads of the chosen processing units only (pu_choice.h), without reference runs. */
int overheads_load_chosen(struct overheads *o, struct repo *repo, int64_t experiment,
			  struct err *err);
/* Loads the overheads of the chosen processing units in an interval that was loaded before. */
int overheads_load_interval(struct overheads *o, struct repo *repo, int64_t experiment,
			    const struct interval_overheads *interval, struct err *err);
void overheads_release(struct overheads *o);
/* T_p without what was not measured. */
static inline int64_t overheads_measured(const struct overheads *o)
{
	return clamp_subtract(o->t_p, o->ns[UNMEASURED]);
}
/* Moves waits at barriers, in collective operations and at the end of the run to loss of
 * parallelism by imbalance (OLOSS_IMB). Point-to-point waits stay. */
void overheads_show_imbalance(struct overheads *o);
/* Finds which metrics have values, for overheads_reason. This reads all values. */
int overheads_load_counted(struct overheads *o, struct repo *repo, int64_t id, struct err *err);
/* The reason why an experiment has no value of a leaf, or shows it elsewhere; NULL if the
 * experiment has a value and shows it. */
const char *overheads_reason(const struct overheads *o, enum sis_overhead leaf);
/* Prints warnings after an empty line, if there are any. */
void overheads_print_warnings(const struct overheads *o, FILE *out);

#endif
