/* SPDX-License-Identifier: BSD-3-Clause */
/* place.h - sampled stacks whose frames are placed at statements.
 *
 *      stack      0x4011f2          0x401a30             0x401c05
 *      frames     [inlined: axpy]   solve                main          innermost first
 *                 statement 7       statement 31         statement 4
 *
 * Every sample has exactly one of enum placed_how: that of its innermost frame of the user's
 * program. Frames of libraries are left out; the frame that called them names the routine. */
#ifndef SIS_ANALYSIS_PLACE_H
#define SIS_ANALYSIS_PLACE_H

#include <stdbool.h>

#include "base/mem.h"

/* In order from exact to nothing. */
enum placed_how {
	PLACED_STATEMENT, /* one statement */
	PLACED_BOUNDARY,  /* entry or exit of the function: statement 0 or 1 */
	PLACED_GROUP,     /* a macro use with several statements: each may be meant */
	PLACED_LINE,      /* the compiler gave no column: the statements of the line */
	PLACED_AMBIGUOUS, /* the compiler gave no line, and the callee says: one of these calls */
	PLACED_FUNCTION,  /* somewhere in the function */
	PLACED_IDLE,      /* no user frame: a thread of a team that waits, at its construct */
	PLACED_NOTHING,   /* see enum placed_reason */
	PLACED_HOWS
};

/* Why a sample has PLACED_NOTHING: of its innermost frame that is in a program or library and is
 * not a part of the system. */
enum placed_reason {
	PLACED_OK,
	PLACED_NO_STACK,    /* the sample has no PC */
	PLACED_ANONYMOUS,   /* memory that no file backs: generated code */
	PLACED_KERNEL,      /* vdso, vsyscall */
	PLACED_REUSED,      /* several modules had this address, at different times */
	PLACED_NO_FILE,     /* the module's file is gone or cannot be read */
	PLACED_CHANGED,     /* the module's file is another one than in the run */
	PLACED_STRIPPED,    /* no symbols and no debug information */
	PLACED_NO_DEBUG,    /* no debug information, in the module or at this PC */
	PLACED_BAD_DEBUG,   /* damaged debug information */
	PLACED_NO_BLAME,    /* debug information, but the unit was not built with --sis-blame */
	PLACED_NO_FUNCTION, /* the blob of the unit does not have the function */
	PLACED_REASONS
};

/* Several statements (PLACED_GROUP, _LINE, _AMBIGUOUS) share the samples evenly. */
struct placed_frame {
	uint32_t function;        /* of flow_program */
	uint32_t statement;       /* of the function; the first of several. NONE: PLACED_FUNCTION */
	uint32_t first, count;    /* all of them in placed.statement[first ...]; count is 1 or more,
	                           * 0 with PLACED_FUNCTION */
	enum placed_how how;
	bool inlined;             /* the frame outside this one has the same PC */
	bool completed;           /* not sampled: where the thread's team or task was made */
	const char *callee;       /* routine without statements that it was calling; NULL: none */
	/* NULL: its time is for what it does. Else the names of the variables that get it,
	 * separated by blanks, and `callee` is only shown. "": no variable gets it */
	const char *only;
};

enum placed_kind { PLACED_RUNNING, PLACED_BLOCKED };

struct placed_stack {
	uint32_t process;         /* index into experiment.model.process */
	uint32_t slot;            /* of the thread in its process; NONE: it has none, such as a
	                           * worker of OpenMP between two teams */
	uint32_t node;            /* global node of the experiment; NONE: not known */
	enum placed_kind kind;    /* on the processor, or blocked */
	uint64_t count;           /* samples */
	uint64_t weight;          /* their nanoseconds or events */
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
	VEC(char *) name;         /* callees, each once */
	/* what the whole run's sampling was */
	char *method, *metric;    /* as the files say; NULL: there was none */
	uint64_t rate;            /* samples per second, or events per sample */
	uint64_t lost;            /* samples that found no room */
};

/* Samples and weight by how and reason. */
struct placed_share { uint64_t count, weight; };
struct placed_shares {
	struct placed_share how[PLACED_HOWS], reason[PLACED_REASONS], all;
};
void placed_count(const struct placed *placed, struct placed_shares *shares);
/* For reports: "statement", "entry or exit" ...; "no debug information" ... And the same as a name
 * of a column or key: "statement", "entry_exit" ... */
const char *placed_how_text(enum placed_how how);
const char *placed_how_key(enum placed_how how);
const char *placed_reason_text(enum placed_reason reason);
const char *placed_reason_key(enum placed_reason reason);
void placed_release(struct placed *placed);

#endif
