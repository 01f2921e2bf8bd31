/* SPDX-License-Identifier: BSD-3-Clause */
/* reference_runs.h - explains an experiment's useful work by comparing it with the useful work of
 * two reference runs: a sequential run, and the parallel version on one processing unit. */
#ifndef SIS_ANALYSIS_REFERENCE_RUNS_H
#define SIS_ANALYSIS_REFERENCE_RUNS_H

#include "repository/database/repository.h"
#include "tables.h"

struct reference_part {
	/* ids in the experiment: the call path, its first node, and its last region. 0: only the
	 * reference run has the call path */
	int64_t path_id, node, region;
	char *name, *file;       /* of the region */
	char *path;              /* names of its regions, joined by '/'; "": no one path */
	int64_t line;            /* 0: not in the source */
	/* OADD_ALGO, OADD_COMP or OLOSS_REPL; OUNID: more work for none of these reasons */
	enum sis_overhead leaf;
	int64_t ns;              /* sum over the PUs; less than 0: time saved */
	char *rule;              /* the rule that applies, with its numbers */
};

struct reference_node { int64_t path_id, node; }; /* a node of a call path */

struct references {
	int64_t seq, par1;       /* ids of the reference runs; 0: there is none */
	char *seq_name, *par1_name;
	/* T_s: T_p of the sequential run, less the time that was not measured and the lack of
	 * processors */
	int64_t t_s_ns;
	VEC(struct reference_part) part; /* largest first */
	VEC(struct reference_node) node; /* of all call paths of the experiment */
};

/* seq, par1: the reference runs that the user chose. 0: a run of the same application is searched
 * for, preferably one with the same arguments. */
int references_load(struct references *r, struct repo *repo, int64_t experiment, int64_t seq,
		    int64_t par1, struct err *err);
void references_release(struct references *r);
/* Stores the parts in temp.reference_part(path_id, node, region, name, path, file, line, leaf, ns,
 * rule), and the nodes in temp.reference_node(node, path_id), for SQL statements. */
int references_keep(const struct references *r, struct repo *repo, struct err *err);

#endif
