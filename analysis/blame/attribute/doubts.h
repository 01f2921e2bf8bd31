/* SPDX-License-Identifier: BSD-3-Clause */
/* doubts.h - counts the samples whose blame is not certain, and writes the sentences that say why.
 * A sample counts once for each reason, however many of its frames have this reason. */
#ifndef SIS_ANALYSIS_DOUBTS_H
#define SIS_ANALYSIS_DOUBTS_H

#include "blame/attribute/blame.h"
#include "blame/attribute/frame.h"

/* The reasons. With the reasons of enum flow_doubt_kind, it is not known where work goes to. With
 * the reasons below, it is not known where work comes from. */
#define DOUBT_LOST FLOW_DOUBTS /* the caller has no call of the frame's function */
#define DOUBT_CUT (FLOW_DOUBTS + 1) /* the stack is deeper than the runtime follows */
#define DOUBT_REASONS (FLOW_DOUBTS + 2)

/* A name that the sentence about `reason` shows, and the units of samples that this reason and name
 * concern. */
struct doubt { unsigned reason; char *name; uint64_t units; };

/* Units of samples with a reason: in all stacks, in the current stack, in its current frame. */
struct doubt_units { uint64_t all, stack, frame; };

struct doubts {
	const struct flow_program *program;
	VEC(struct doubt) list;
	struct strmap names;          /* "reason name" -> index into `list` */
	struct doubt_units units[DOUBT_REASONS];
};

/* To be called when the next frame of a stack begins, and when the stack ends. */
void doubts_begin_frame(struct doubts *doubts);
void doubts_end_stack(struct doubts *doubts);
/* Adds the doubts of a frame's result, for `units` of samples. */
void doubts_add(struct doubts *doubts, const struct frame_result *result, uint64_t units);
/* Adds units with the reason DOUBT_LOST: the function of the result has no call of its callee. */
void doubts_add_lost(struct doubts *doubts, const struct frame_result *result, uint64_t units);
/* Adds units with the reason DOUBT_CUT. `function` is the outermost function of the truncated
 * stack. */
void doubts_add_cut(struct doubts *doubts, uint32_t function, uint64_t units);
/* Appends the sentences to blame->doubt. */
void doubts_write(struct doubts *doubts, struct blame *blame);
void doubts_release(struct doubts *doubts);

#endif
