/* SPDX-License-Identifier: BSD-3-Clause */
/* reference_runs.h - how the sequential run, and the parallel version on one processing unit,
 * explain an experiment's useful work. */
#ifndef SIS_ANALYSIS_REFERENCE_RUNS_H
#define SIS_ANALYSIS_REFERENCE_RUNS_H

#include "repository/repository.h"
#include "tables.h"

struct reference_part {
	/* the call path, the first node of it, and its last region, in the experiment; 0: only the
	 * reference run has it */
	int64_t path_id, node, region;
	char *name, *file;       /* of the region */
	char *path;              /* names of all regions, joined by '/'; "": of no one path */
	int64_t line;            /* 0: not in the source */
	/* OADD_ALGO, OADD_COMP, OLOSS_REPL; OUNID: growth that is none of them */
	enum sis_overhead leaf;
	int64_t ns;              /* sum over the PUs; less than 0: time saved */
	char *rule;              /* the rule that applies, with its numbers */
};

struct reference_node { int64_t path_id, node; }; /* a node of a call path */

struct references {
	int64_t seq, par1;       /* experiments; 0: there is none */
	char *seq_name, *par1_name;
	int64_t t_s_ns; /* of the sequential run: measured time in which it had a processor */
	VEC(struct reference_part) part; /* largest first */
	VEC(struct reference_node) node; /* of all paths in the experiment */
};

/* seq, par1: chosen by the user; 0: found, of the same application, preferably with the same
 * arguments. */
int references_load(struct references *r, struct repo *repo, int64_t experiment, int64_t seq,
		    int64_t par1, struct err *err);
void references_release(struct references *r);
/* Stores the parts in temp.reference_part(path_id, node, region, name, path, file, line, leaf, ns,
 * rule), and the nodes in temp.reference_node(node, path_id), for statements. */
int references_keep(const struct references *r, struct repo *repo, struct err *err);

#endif
