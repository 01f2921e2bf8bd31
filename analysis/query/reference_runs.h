/* SPDX-License-Identifier: BSD-3-Clause */
/* reference_runs.h - how the sequential run, and the parallel version on one processing unit,
 * explain an experiment's useful work. */
#ifndef SIS_ANALYSIS_REFERENCE_RUNS_H
#define SIS_ANALYSIS_REFERENCE_RUNS_H

#include "repository/repository.h"
#include "tables.h"

struct reference_part {
	/* region of the experiment's version; 0: only the reference run has it */
	int64_t region;
	char *name, *file;       /* name and file of the region */
	int64_t line;            /* 0: not in the source */
	/* OADD_ALGO, OADD_COMP, OLOSS_REPL; OUNID: growth that is none of them */
	enum sis_overhead leaf;
	int64_t ns;              /* sum over the PUs; less than 0: time saved */
	char *rule;              /* the rule that applies, with its numbers */
};

struct references {
	int64_t seq, par1;       /* experiments; 0: there is none */
	char *seq_name, *par1_name;
	int64_t t_s_ns;          /* of the sequential run: measured time in which it had a processor */
	VEC(struct reference_part) part; /* largest first */
};

/* seq, par1: chosen by the user; 0: found, of the same application, preferably with the same
 * arguments. */
int references_load(struct references *r, struct repo *repo, int64_t experiment, int64_t seq,
		    int64_t par1, struct err *err);
void references_release(struct references *r);
/* Stores the parts in temp.reference_part(region, name, file, line, leaf, ns, rule), for
 * statements. */
int references_keep(const struct references *r, struct repo *repo, struct err *err);

#endif
