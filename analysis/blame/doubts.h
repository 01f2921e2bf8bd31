/* SPDX-License-Identifier: BSD-3-Clause */
/* doubts.h - for how many samples the blame is not certain, and the sentences that say why. A
 * sample counts once for each reason, however many of its frames have it. */
#ifndef SIS_ANALYSIS_DOUBTS_H
#define SIS_ANALYSIS_DOUBTS_H

#include "blame/blame.h"
#include "blame/frame.h"

/* What is not known: where work goes to, enum flow_doubt_kind, or where it comes from. */
#define DOUBT_LOST FLOW_DOUBTS /* the call of a frame's function is not in its caller */
#define DOUBT_CUT (FLOW_DOUBTS + 1) /* the stack is deeper than the runtime follows */
#define DOUBT_REASONS (FLOW_DOUBTS + 2)

/* One name that a sentence shows. */
struct doubt { unsigned reason; char *name; uint64_t units; };

/* Units of samples: in all stacks, in the stack that is followed, in its frame. */
struct doubt_units { uint64_t all, stack, frame; };

struct doubts {
	const struct flow_program *program;
	VEC(struct doubt) list;
	struct strmap names;          /* "reason name" -> list */
	struct doubt_units units[DOUBT_REASONS];
};

/* A frame of the stack begins; a stack ends. */
void doubts_begin_frame(struct doubts *doubts);
void doubts_end_stack(struct doubts *doubts);
/* What is not known of a result, for so many units. */
void doubts_add(struct doubts *doubts, const struct frame_result *result, uint64_t units);
/* The call of the result's callee is not in its function. */
void doubts_add_lost(struct doubts *doubts, const struct frame_result *result, uint64_t units);
/* The outermost function of the stack is not where the thread began. */
void doubts_add_cut(struct doubts *doubts, uint32_t function, uint64_t units);
/* The sentences. */
void doubts_write(struct doubts *doubts, struct blame *blame);
void doubts_release(struct doubts *doubts);

#endif
