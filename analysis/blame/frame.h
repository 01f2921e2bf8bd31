/* SPDX-License-Identifier: BSD-3-Clause */
/* frame.h - what one frame of a sampled stack does with the work of its sample: which variables of
 * its function get it, and what of it leaves the function.
 *
 *      exits of the callee ->  start nodes  ->  variables of this function
 *      (or the statement)                   ->  exits of this function
 *
 * A frame's result depends on its function, its statement and what comes out of its callee, and on
 * nothing above it. So results are computed once and looked up again. */
#ifndef SIS_ANALYSIS_BLAME_FRAME_H
#define SIS_ANALYSIS_BLAME_FRAME_H

#include "blame/names.h"
#include "flow/reach.h"

/* What leaves a function, as numbers of sets of outputs (output << 1 | implicit). */
struct exits {
	uint32_t near;   /* the nearest outputs on the way: they get the partitioned share */
	uint32_t all;    /* all that the flow reaches */
	uint32_t direct; /* what the sampled statement itself writes */
};

struct frame_key {
	uint32_t function, statement; /* FLOW_NONE: somewhere in the function */
	uint32_t callee;              /* FLOW_NONE: the innermost frame */
	uint32_t routine;             /* of a library that it was calling, number + 1; 0: none */
	uint32_t only;                /* a list of variables that get the time, number + 1; 0: the
	                               * graph decides */
	struct exits exits;           /* of the callee */
};

struct hit { uint32_t variable, field; bool implicit; };

struct frame_result {
	struct frame_key key;
	struct exits exits;
	VEC(struct hit) hit;          /* all variables that are reached */
	VEC(struct part) recipient;   /* those that share the sample */
	VEC(struct part) base;        /* those that the sampled statement writes */
	bool output;                  /* the flow ends in an output routine */
	VEC(struct flow_doubt) doubt; /* where it enters what is not known; each value once */
	bool unknown;                 /* it enters a function that is not known */
	bool lost;                    /* the call of the callee was not found */
};

struct exit_set { uint32_t *at; size_t n; };

struct frames {
	const struct flow_program *program;
	const struct flow_analysis *analysis;
	struct view *view;            /* of each function */
	VEC(struct frame_result) result;
	struct map results;
	VEC(struct exit_set) set;
	struct map sets;
	struct flow_walk walk;
};

#define EXITS_NONE 0u             /* the empty set */

void frames_init(struct frames *frames, const struct flow_program *program,
		 const struct flow_analysis *analysis);
/* Of key->routine and key->only, the texts. Valid until the next call. */
const struct frame_result *frames_result(struct frames *frames, const struct frame_key *key,
					 const char *routine, const char *only);
struct names *frames_names(struct frames *frames, uint32_t function);
void frames_release(struct frames *frames);

#endif
