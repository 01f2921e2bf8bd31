/* SPDX-License-Identifier: BSD-3-Clause */
/* blame.h - for which variables the samples of a run were spent.
 *
 *      placed stack   solve: statement 31   main: statement 4
 *      points         main/solve            main
 *      variables      x, A                  sol, mat          of each point
 *
 * Every call path from the outermost function is a blame point. At a point, a sample counts for
 * all variables that its flow reaches (inclusive), and it is divided among the nearest ones
 * (partitioned). Rows Output and Other take the samples that reach none. So the partitioned
 * shares of the variables of a point add up to the samples below it, exactly, in units of
 * 1 / BLAME_UNIT of a sample. */
#ifndef SIS_ANALYSIS_BLAME_H
#define SIS_ANALYSIS_BLAME_H

#include <stdbool.h>

#include "base/mem.h"
#include "flow/program.h"
#include "flow/routines.h"
#include "place/place.h"

/* Divisible by all numbers up to 16. */
#define BLAME_UNIT 720720u

enum blame_point_flag {
	BLAME_POINT_OUTERMOST = 1, /* no caller was placed: main, or the function of a thread */
	BLAME_POINT_CHOSEN = 2,    /* #pragma sis blame */
	BLAME_POINT_TOP = 4,       /* for some samples blame cannot rise above it */
	BLAME_POINT_CUT = 8,       /* the stacks were truncated: its callers are not known */
};

struct blame_point {
	uint32_t parent;           /* FLOW_NONE: outermost */
	uint32_t function;         /* of flow_program. Recursion is folded: no function is twice in
	                            * a path; outlined functions are part of theirs */
	uint32_t flags;
	uint64_t samples;          /* below it */
	char *path;                /* "main/solve/factor" */
};

enum blame_variable_kind {
	BLAME_LOCAL, BLAME_PARAMETER, BLAME_GLOBAL, BLAME_STATIC, BLAME_HEAP,
	BLAME_RESULT,              /* the value that the function returns, without a variable */
	BLAME_OUTPUT,              /* no variable; the flow ends in an output routine */
	BLAME_OTHER,               /* no variable */
	BLAME_KINDS
};

struct blame_variable {
	uint32_t point;
	enum blame_variable_kind kind;
	char *name;                /* `A`; BLAME_HEAP: `malloc at file.c:12 (double)`; "Output" */
	char *field;               /* "": the variable with all its fields; else the access path of
	                            * a part of it, `PANEL->L2`. Such rows are in the one of the
	                            * variable already */
	char *type;                /* "" if not known */
	const char *file;          /* of its declaration or allocation; NULL: not known */
	uint32_t line;
};

/* One variable, on one thread, and one kind of samples. */
struct blame_row {
	uint32_t variable;
	uint32_t process, slot;
	enum placed_kind kind;
	uint32_t routine;          /* of blame.routine: what the samples' innermost function was
	                            * calling (MPI_Send); FLOW_NONE: nothing */
	uint64_t explicit, implicit; /* inclusive, in units; they exclude each other */
	uint64_t share;            /* partitioned, in units */
	uint64_t base;             /* samples in statements that write the variable themselves */
	double weight;             /* the nanoseconds or events of `share` */
	double inclusive_weight;   /* the same of explicit + implicit */
};

struct blame {
	VEC(struct blame_point) point;
	VEC(struct blame_variable) variable;
	VEC(struct blame_row) row;
	VEC(char *) routine;       /* names, each once */
	VEC(char *) warning;       /* for the user: what was left out, approximations */
	VEC(char *) doubt;         /* for the user: samples whose blame is not certain, and why */
	/* What the result stands on. */
	uint64_t samples;          /* that were placed in a function */
	uint64_t unknown_calls;    /* samples in library routines of no table */
	uint32_t coarse_functions; /* functions with so much memory that parts of it are one */
};

/* `placed` may be of several processes of the same program. Points with less than `least_share` of
 * all samples have no rows, unless they are outermost, chosen or top. */
void blame_compute(struct blame *blame, const struct flow_program *program,
		   const struct routines *routines, const struct placed *placed,
		   double least_share);
void blame_release(struct blame *blame);

#endif
