/* overhead.h - an experiment's overhead tree, as commands show it. */
#ifndef SIS_ANALYSIS_OVERHEAD_H
#define SIS_ANALYSIS_OVERHEAD_H

#include <stdio.h>

#include "repository.h"
#include "tables.h"

struct overheads { /* all times in nanoseconds; sums over units are divided by p */
	char *name, *program;
	int64_t p, t_p, useful;
	bool complete;
	int64_t t_i;               /* identified: the leaves */
	bool has_t_s;              /* the next three are known */
	int64_t t_s, t_o, t_u;
	int64_t identity_error;    /* largest of a unit */
	int64_t ns[SIS_OVERHEADS]; /* every node of the tree */
	VEC(char *) warning;
};

int overheads_load(struct overheads *o, struct repo *repo, int64_t experiment, struct err *err);
void overheads_release(struct overheads *o);
/* The nodes that are not zero, indented, with bars. */
void overheads_print_tree(const struct overheads *o, bool color, FILE *out);
void overheads_print_warnings(const struct overheads *o, FILE *out);

#endif
