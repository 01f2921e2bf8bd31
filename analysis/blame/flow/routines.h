/* SPDX-License-Identifier: BSD-3-Clause */
/* routines.h - what library routines do with the memory of a program: transfer functions by name,
 * from schema/routines.txt and schema/lapack.txt, which are built in, and from files that users
 * name. The grammar is in schema/routines.txt.
 *
 * The idea: a routine is a list of effects on places. A place is a base and the number of pointers
 * that are followed from there. The base is an argument of the call, the result of the call, or the
 * result of a function that the routine calls back. `**1` is the memory to which the pointers in
 * the memory of argument 1 point. For example, a request of MPI holds the address of its buffer
 * (REFER), so the completion of the request writes `**1`. */
#ifndef SIS_ANALYSIS_ROUTINES_H
#define SIS_ANALYSIS_ROUTINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum routine_base {
	ROUTINE_ARGUMENT,
	ROUTINE_RESULT,
	ROUTINE_CALLED,  /* the result of the function that is called back; never in `to` */
};

struct routine_place {
	enum routine_base base;
	uint16_t first, last; /* range of arguments, from 1; a `last` of UINT16_MAX is the last
	                       * argument of the call. Both are 0 with the other bases */
	uint8_t depth;        /* 0: the value; 1: the memory to which the value points; 2: the
	                       * memory to which pointers in that memory point */
};

enum routine_verb {
	ROUTINE_FLOW,     /* `to <- from ...`: the contents of `to` are computed from `from` */
	ROUTINE_REFER,    /* `to = from`: `to` points into the memory to which `from` points. It is
	                   * a ROUTINE_FLOW, too */
	ROUTINE_NEW,      /* `to = new`: `to` is the address of new memory */
	ROUTINE_FREE,     /* `free PLACE`: the routine frees the memory `to` */
	ROUTINE_CALL,     /* `call PLACE (PLACE ...)`: calls the function `to` with `from` */
};

struct routine_effect {
	enum routine_verb verb;
	struct routine_place to;
	const struct routine_place *from;
	size_t froms;
};

enum {
	ROUTINE_OUTPUT = 1u,    /* the routine shows its arguments to the user. If work reaches
	                         * them, but no variable, it is in row Output */
	ROUTINE_INPUT = 2u,     /* the contents that the routine writes come from outside of the
	                         * program */
	ROUTINE_NO_RETURN = 4u, /* the routine does not return: exit, abort, longjmp */
	ROUTINE_WAITS = 8u,     /* the routine may wait for another thread or process */
	ROUTINE_JUMP = 16u,     /* longjmp: an earlier call of a ROUTINE_TWICE returns again */
	ROUTINE_TWICE = 32u,    /* setjmp: may return more than once */
	ROUTINE_HANDLE = 64u,   /* the row is about a type, not a routine: values of the type stand
	                         * for memory */
	ROUTINE_REDISTRIBUTES = 128u, /* the time in the routine is OCTRL_REDIST */
};

struct routine {
	const char *name;       /* the first name of the row, before braces are expanded */
	uint32_t flags;
	const struct routine_effect *effect;
	size_t effects;
	/* The places that get the time of the routine itself, in equal parts: those after `blame`,
	 * else `to` of its FLOW effects, else `to` of its NEW effects. If there are none, the time
	 * goes to row Output for an output routine, else to row Other. */
	const struct routine_place *blame;
	size_t blames;
	bool by_user;           /* the row is from a user's file */
};

struct routines;

/* Whether the result of the function that is called back flows into the effect's place. */
bool routine_takes_called(const struct routine_effect *effect);

/* The built-in table. Never NULL: the build checks its text. */
struct routines *routines_new(void);
/* Adds a user's file. Its rows take precedence over those that are there already. A wrong line is
 * an error that names file, line and column. */
int routines_add_file(struct routines *routines, const char *path, struct err *err);
int routines_add_text(struct routines *routines, const char *text, size_t length,
		      const char *origin, bool by_user, struct err *err);
/* The row of a routine; NULL: there is none. PMPI_Send and MPI_Send_c have the row of MPI_Send. If
 * several rows match, a row without wildcards takes precedence, then the later row. */
const struct routine *routines_find(const struct routines *routines, const char *name);
void routines_free(struct routines *routines);

#endif
