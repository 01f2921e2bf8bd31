/* SPDX-License-Identifier: BSD-3-Clause */
/* place.h - sampled stacks whose frames are placed at statements.
 *
 *      stack      0x4011f2          0x401a30             0x401c05
 *      frames     [inlined: axpy]   solve                main          innermost first
 *                 statement 7       statement 31         statement 4
 *
 * The placed_how of a sample is that of its innermost frame in the user's program. Frames of
 * libraries are left out. The frame that called the library names the routine. */
#ifndef SIS_ANALYSIS_PLACE_H
#define SIS_ANALYSIS_PLACE_H

#include <stdbool.h>

#include "base/mem.h"
#include "experiment/code/code_places.h"

/* How exactly a sample or frame was placed, from exact to not at all. */
enum placed_how {
	PLACED_STATEMENT, /* one statement */
	PLACED_BOUNDARY,  /* entry or exit of the function: statement 0 or 1 */
	PLACED_GROUP,     /* use of a macro with several statements: the sample is in one of them */
	PLACED_LINE,      /* the compiler gave no column: the sample is in one statement of the
	                   * line */
	PLACED_AMBIGUOUS, /* the compiler gave no line: the sample is in one of the calls of the
	                   * callee */
	PLACED_FUNCTION,  /* somewhere in the function */
	PLACED_IDLE,      /* no frame of the user's program: a team's thread that waits, placed at
	                   * the team's construct */
	PLACED_NOTHING,   /* see enum placed_reason */
	PLACED_HOWS
};

/* A frame at several statements (PLACED_GROUP, _LINE, _AMBIGUOUS) divides its samples evenly among
 * them. */
struct placed_frame {
	uint32_t function;        /* number in flow_program */
	uint32_t statement;       /* number in the function; the first of several. NONE with
	                           * PLACED_FUNCTION */
	uint32_t first, count;    /* all statements: placed.statement[first ...]. count is 0 with
	                           * PLACED_FUNCTION, else 1 or more */
	enum placed_how how;
	bool inlined;             /* the frame outside this one has the same PC */
	bool completed;           /* the frame was not sampled: it is where the thread's team or
	                           * task was created */
	const char *callee;       /* the routine without statements that the frame was calling;
	                           * NULL: none */
	/* NULL: the variables that get the time follow from the statement. Else the names of these
	 * variables, separated by blanks; then `callee` is only shown. "": no variable gets the
	 * time */
	const char *only;
};

enum placed_kind { PLACED_RUNNING, PLACED_BLOCKED };

struct placed_stack {
	uint32_t process;         /* index into experiment.model.process */
	uint32_t slot;            /* slot of the thread in its process; NONE: the thread has none,
	                           * such as a worker of OpenMP between two teams */
	uint32_t node;            /* global node of the experiment; NONE: not known */
	enum placed_kind kind;    /* whether the thread was on the processor or blocked */
	uint64_t count;           /* number of samples */
	uint64_t weight;          /* nanoseconds or events of the samples */
	size_t first;             /* frames: placed.frame[first ...], innermost first */
	uint32_t frames;
	enum placed_how how;
	enum placed_reason reason; /* PLACED_OK unless `how` is PLACED_NOTHING */
	bool truncated;           /* outer frames are missing: main was not reached */
};

struct placed {
	VEC(struct placed_stack) stack;
	VEC(struct placed_frame) frame;
	VEC(uint32_t) statement;
	VEC(char *) name;         /* names of callees, each once */
	/* how the whole run was sampled */
	char *method, *metric;    /* as the stacks files say; NULL: no samples were taken */
	uint64_t rate;            /* samples per second, or events per sample */
	uint64_t lost;            /* samples that are missing because there was no room */
};

/* The samples and their weight, by placed_how and placed_reason. */
struct placed_share { uint64_t count, weight; };
struct placed_shares {
	struct placed_share how[PLACED_HOWS], reason[PLACED_REASONS], all;
};
void placed_count(const struct placed *placed, struct placed_shares *shares);
/* Words for reports: "statement", "entry or exit" ...; "no debug information" ... The functions
 * with _key return names of columns and JSON keys: "statement", "entry_exit" ... */
const char *placed_how_text(enum placed_how how);
const char *placed_how_key(enum placed_how how);
const char *placed_reason_text(enum placed_reason reason);
const char *placed_reason_key(enum placed_reason reason);
void placed_release(struct placed *placed);

#endif
