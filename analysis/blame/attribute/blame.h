/* SPDX-License-Identifier: BSD-3-Clause */
/* blame.h - how the samples of a run are divided among the variables of the program.
 *
 *      placed stack   solve: statement 31   main: statement 4
 *      points         main/solve            main
 *      variables      x, A                  sol, mat          of each point
 *
 * Every call path from the outermost function is a blame point. At a point, a sample counts for all
 * variables that its flow reaches (inclusive). It is also divided among the nearest of these
 * variables (partitioned). The rows Output and Other take the samples that reach no variable. So
 * the partitioned shares at a point add up exactly to the samples below the point. Shares are
 * counted in units of 1 / BLAME_UNIT of a sample. */
#ifndef SIS_ANALYSIS_BLAME_H
#define SIS_ANALYSIS_BLAME_H

#include <stdbool.h>

#include "base/mem.h"
#include "blame/flow/program.h"
#include "blame/flow/routines.h"
#include "blame/place/place.h"

/* Units of a sample. The number is divisible by all numbers up to 16. */
#define BLAME_UNIT 720720u

enum blame_point_flag {
	BLAME_POINT_OUTERMOST = 1, /* main, the function of a thread, or a function whose caller was
	                            * not placed */
	BLAME_POINT_CHOSEN = 2,    /* #pragma sis blame */
	BLAME_POINT_TOP = 4,       /* the blame of at least 1 % of all samples cannot go on to the
	                            * point's callers */
	BLAME_POINT_CUT = 8,       /* the stacks were truncated: the point's callers are not
	                            * known */
};

struct blame_point {
	uint32_t parent;           /* number of a point; FLOW_NONE: this point is outermost */
	uint32_t function;         /* number in flow_program. Recursion is folded: no function is
	                            * twice in a path. An outlined function counts as the function
	                            * around it */
	uint32_t flags;
	uint64_t samples;          /* samples whose stacks contain the point */
	char *path;                /* "main/solve/factor" */
};

enum blame_variable_kind {
	BLAME_LOCAL, BLAME_PARAMETER, BLAME_GLOBAL, BLAME_STATIC, BLAME_HEAP,
	BLAME_RESULT,              /* the value that the function returns, if it is in no
	                            * variable */
	BLAME_OUTPUT,              /* no variable is reached, and the flow ends in an output
	                            * routine */
	BLAME_OTHER,               /* no variable */
	BLAME_KINDS
};

struct blame_variable {
	uint32_t point;
	enum blame_variable_kind kind;
	char *name;                /* `A`; BLAME_HEAP: `malloc at file.c:12 (double)`; "Output" */
	char *field;               /* "": the variable with all its fields; else the access path of
	                            * a part of the variable, `PANEL->L2`. The variable's own row
	                            * includes the rows of its parts */
	char *type;                /* type of the variable; "": not known */
	const char *file;          /* file of the declaration or allocation; NULL: not known */
	uint32_t line;
};

/* The samples of one kind that one thread spent for one variable. */
struct blame_row {
	uint32_t variable;
	uint32_t process, slot;
	enum placed_kind kind;
	uint32_t routine;          /* index into blame.routine: the routine that the samples'
	                            * innermost function was calling (MPI_Send); FLOW_NONE: none */
	uint64_t explicit, implicit; /* inclusive, in units; no sample is in both */
	uint64_t share;            /* partitioned, in units */
	uint64_t base;             /* samples in statements that write the variable */
	double weight;             /* nanoseconds or events that `share` stands for */
	double inclusive_weight;   /* nanoseconds or events that explicit + implicit stand for */
};

struct blame {
	VEC(struct blame_point) point;
	VEC(struct blame_variable) variable;
	VEC(struct blame_row) row;
	VEC(char *) routine;       /* names of routines, each once */
	VEC(char *) warning;       /* for the user: data that was left out, and approximations */
	VEC(char *) doubt;         /* for the user: samples whose blame is not certain, and why */
	/* How certain the result is. */
	uint64_t samples;          /* samples that were placed in a function */
	uint64_t unknown_calls;    /* samples in library routines that no table of routines has */
	uint32_t coarse_functions; /* functions with so much memory that parts of it were merged */
};

/* `placed` may have the stacks of several processes of the same program. A point with less than
 * `least_share` of all samples has no rows, unless it is outermost, chosen or top. */
void blame_compute(struct blame *blame, const struct flow_program *program,
		   const struct routines *routines, const struct placed *placed,
		   double least_share);
void blame_release(struct blame *blame);

#endif
