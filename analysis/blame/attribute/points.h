/* SPDX-License-Identifier: BSD-3-Clause */
/* points.h - blame points: the call paths of the placed stacks, from the outermost function. A
 * recursive function occurs once in a path. An outlined function counts as the function around
 * it. */
#ifndef SIS_ANALYSIS_BLAME_POINTS_H
#define SIS_ANALYSIS_BLAME_POINTS_H

#include "blame/attribute/blame.h"

struct point_state { uint64_t stopped; bool has_rows; };

struct points {
	const struct flow_program *program;
	VEC(struct blame_point) point;
	VEC(struct point_state) state; /* the state of each point */
	struct map children;           /* (parent, function) -> point */
};

void points_init(struct points *points, const struct flow_program *program);
/* The points of the frames, one for each; the caller frees the array. */
uint32_t *points_of_stack(struct points *points, const struct placed_frame *frame,
			  uint32_t frames);
/* Adds samples to all points of a stack. */
void points_count(struct points *points, const struct placed_frame *frame, uint32_t frames,
		  uint64_t samples, bool truncated);
/* Notes that the blame of `units` does not go on to the point's callers. */
void points_stop(struct points *points, uint32_t point, uint64_t units);
/* Chooses the points that have rows: see blame_compute. */
void points_choose(struct points *points, uint64_t samples, double least_share);
bool points_have_rows(const struct points *points, uint32_t point);
/* Moves the points to the result. */
void points_take(struct points *points, struct blame *blame);
void points_release(struct points *points);

#endif
