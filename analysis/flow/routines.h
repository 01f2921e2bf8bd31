/* SPDX-License-Identifier: BSD-3-Clause */
/* routines.h - what library routines do with the memory of a program: transfer functions by name,
 * from schema/routines.txt and schema/lapack.txt, which are built in, and from files that users
 * name. The grammar is in schema/routines.txt.
 *
 * The idea: a routine is a list of effects on places. A place is an argument of the call, its
 * result, or the result of a function that it calls back, and the number of pointers that are
 * followed from there. `**1` is the memory to which the pointers in the memory of argument 1
 * point: a request of MPI has the address of its buffer in its memory (REFER), so the completion
 * of the request writes `**1`. */
#ifndef SIS_ANALYSIS_ROUTINES_H
#define SIS_ANALYSIS_ROUTINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum routine_base {
	ROUTINE_ARGUMENT,
	ROUTINE_RESULT,
	ROUTINE_CALLED,  /* the result of the function that is called back: a source only */
};

struct routine_place {
	enum routine_base base;
	uint16_t first, last; /* arguments, from 1; UINT16_MAX: the last of the call. With base
	                       * RESULT and CALLED: 0 */
	uint8_t depth;        /* 0: the value; 1: the memory that it points to; 2: the memory that
	                       * pointers in this memory point to */
};

enum routine_verb {
	ROUTINE_FLOW,     /* `to <- from ...`: the contents of `to` are computed from these */
	ROUTINE_REFER,    /* `to = from`: `to` is a copy of the pointer `from`, or may point into
	                   * what it points to. It is a flow, too */
	ROUTINE_NEW,      /* `to = new`: `to` is the address of new memory */
	ROUTINE_FREE,     /* `free PLACE`: `to` is memory that ends */
	ROUTINE_CALL,     /* `call PLACE (PLACE ...)`: calls the function `to` with `from` */
};

struct routine_effect {
	enum routine_verb verb;
	struct routine_place to;
	const struct routine_place *from;
	size_t froms;
};

enum {
	ROUTINE_OUTPUT = 1u,    /* what flows into its arguments is shown to the user: row Output,
	                         * if no variable is reached */
	ROUTINE_INPUT = 2u,     /* the contents come from outside of the program */
	ROUTINE_NO_RETURN = 4u, /* exit, abort, longjmp */
	ROUTINE_WAITS = 8u,     /* its time may be a wait for another thread or process */
	ROUTINE_JUMP = 16u,     /* longjmp: a call of a ROUTINE_TWICE returns again */
	ROUTINE_TWICE = 32u,    /* setjmp */
	ROUTINE_HANDLE = 64u,   /* the name is that of a type: its values stand for memory */
	ROUTINE_REDISTRIBUTES = 128u, /* its time is OCTRL_REDIST */
};

struct routine {
	const char *name;       /* the word of the table, before braces are expanded */
	uint32_t flags;
	const struct routine_effect *effect;
	size_t effects;
	/* Who gets the time of the routine itself, in equal parts: `blame PLACE ...`, else the `to`
	 * of its FLOW effects, else those of NEW. None: no variable; row Output if it is an output
	 * routine, else Other. */
	const struct routine_place *blame;
	size_t blames;
	bool by_user;           /* from a file of the user */
};

struct routines;

/* Whether the result of the function that is called back goes into the effect's place. */
bool routine_takes_called(const struct routine_effect *effect);

/* The table that is built in. Never NULL: the build checks the text. */
struct routines *routines_new(void);
/* Adds the file of a user; its rows win over those that are there. A line that is wrong is an error
 * with the file's name, its line and its column. */
int routines_add_file(struct routines *routines, const char *path, struct err *err);
int routines_add_text(struct routines *routines, const char *text, size_t length,
		      const char *origin, bool by_user, struct err *err);
/* NULL: not known. PMPI_Send is MPI_Send, and MPI_Send_c has the row of MPI_Send. Of several rows
 * that match a name, one without wildcards wins, then the later one. */
const struct routine *routines_find(const struct routines *routines, const char *name);
void routines_free(struct routines *routines);

#endif
