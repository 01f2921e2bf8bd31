/* SPDX-License-Identifier: BSD-3-Clause */
/* frame.h - what one frame of a sampled stack does with the work of the sample: which variables of
 * the frame's function get the work, and through which outputs the work leaves the function.
 *
 *      exits of the callee ->  start nodes  ->  variables of this function
 *      (or the statement)                   ->  exits of this function
 *
 * A frame's result depends on its function, its statement and the exits of its callee, and not on
 * its callers. So each result is computed once and then looked up. */
#ifndef SIS_ANALYSIS_BLAME_FRAME_H
#define SIS_ANALYSIS_BLAME_FRAME_H

#include "blame/attribute/names.h"
#include "blame/flow/reach.h"

/* The outputs through which work leaves a function. Each member is the number of a set
 * (frames.set), whose items are output << 1 | implicit. */
struct exits {
	uint32_t near;   /* the nearest outputs, which get the partitioned share */
	uint32_t all;    /* all outputs that the flow reaches */
	uint32_t direct; /* outputs that the sampled statement itself writes */
};

struct frame_key {
	uint32_t function, statement; /* a `statement` of FLOW_NONE: somewhere in the function */
	uint32_t callee;              /* FLOW_NONE: this is the innermost frame */
	uint32_t routine;             /* number + 1 of the library's routine that the function was
	                               * calling; 0: none */
	uint32_t only;                /* number + 1 of a list of variables that get the time; 0: the
	                               * graph decides */
	struct exits exits;           /* the exits of the callee */
};

struct hit { uint32_t variable, field; bool implicit; };

struct frame_result {
	struct frame_key key;
	struct exits exits;
	VEC(struct hit) hit;          /* all variables that the work reaches */
	VEC(struct part) recipient;   /* the variables that share the sample */
	VEC(struct part) base;        /* the variables that the sampled statement writes */
	bool output;                  /* the flow ends in an output routine */
	VEC(struct flow_doubt) doubt; /* where the flow enters something that is not known; each
	                               * value once */
	bool unknown;                 /* the flow enters a function that is not known */
	bool lost;                    /* the function has no call of the callee */
};

struct exit_set { uint32_t *at; size_t n; };

struct frames {
	const struct flow_program *program;
	const struct flow_analysis *analysis;
	struct view *view;            /* the view of each function */
	VEC(struct frame_result) result;
	struct map results;
	VEC(struct exit_set) set;
	struct map sets;
	struct flow_walk walk;
};

#define EXITS_NONE 0u             /* the empty set */

void frames_init(struct frames *frames, const struct flow_program *program,
		 const struct flow_analysis *analysis);
/* `routine` and `only` are the texts that key->routine and key->only stand for. The result is valid
 * until the next call. */
const struct frame_result *frames_result(struct frames *frames, const struct frame_key *key,
					 const char *routine, const char *only);
/* Whether a set of outputs has an output that callers get. FLOW_OUTPUT does not count, because it
 * is only shown to the user. */
static inline bool exits_rise(const struct frames *frames, uint32_t exits)
{
	const struct exit_set *set = &frames->set.at[exits];
	return set->n > 1 || (set->n == 1 && set->at[0] >> 1 != FLOW_OUTPUT);
}
struct names *frames_names(struct frames *frames, uint32_t function);
void frames_release(struct frames *frames);

#endif
