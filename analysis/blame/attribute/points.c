/* SPDX-License-Identifier: BSD-3-Clause */
/* points.c - makes the tree of blame points, and chooses the points with rows (points.h). One
 * thread calls it. */
#include "blame/attribute/points.h"

#include <stdlib.h>

/* A point gets BLAME_POINT_TOP if the blame that stops there is at least this share of all
 * samples. */
#define TOP_SHARE 0.01

void points_init(struct points *p, const struct flow_program *program)
{
	*p = (struct points){ .program = program };
}

static uint32_t child(struct points *p, uint32_t parent, uint32_t function)
{
	bool fresh;
	for (uint32_t up = parent; up != FLOW_NONE; up = p->point.at[up].parent)
		if (p->point.at[up].function == function)
			return up;
	uint32_t at = map_put(&p->children, parent, function, (uint32_t)p->point.n, &fresh);
	if (!fresh)
		return at;
	const struct flow_function *f = &p->program->function.at[function];
	const char *above = parent == FLOW_NONE ? "" : p->point.at[parent].path;
	struct blame_point point = { .parent = parent, .function = function,
				     .path = mem_print("%s%s%s", above, *above ? "/" : "",
						       *f->name ? f->name : f->linkage) };
	if (f->flags & SIS_BLAME_FUNCTION_POINT)
		point.flags |= BLAME_POINT_CHOSEN;
	if (parent == FLOW_NONE)
		point.flags |= BLAME_POINT_OUTERMOST;
	*vec_push(&p->point) = point;
	(void)vec_push(&p->state);
	return at;
}

uint32_t *points_of_stack(struct points *p, const struct placed_frame *frame, uint32_t frames)
{
	uint32_t *point = mem_alloc(frames + 1u, sizeof *point), at = FLOW_NONE;
	for (uint32_t i = frames; i-- > 0;)
		point[i] = at = child(p, at, flow_function_around(p->program, frame[i].function));
	return point;
}

void points_count(struct points *p, const struct placed_frame *frame, uint32_t frames,
		  uint64_t samples, bool truncated)
{
	uint32_t *point = points_of_stack(p, frame, frames);
	if (truncated)
		p->point.at[point[frames - 1]].flags |= BLAME_POINT_CUT;
	for (uint32_t i = 0; i < frames; i++) {
		bool counted = false;
		for (uint32_t k = i + 1; k < frames && !counted; k++)
			counted = point[k] == point[i];
		if (!counted)
			p->point.at[point[i]].samples += samples;
	}
	free(point);
}

void points_stop(struct points *p, uint32_t point, uint64_t units)
{
	p->state.at[point].stopped += units;
}

void points_choose(struct points *p, uint64_t samples, double least_share)
{
	for (size_t i = 0; i < p->point.n; i++) {
		struct blame_point *point = &p->point.at[i];
		struct point_state *state = &p->state.at[i];
		double stopped = (double)state->stopped / BLAME_UNIT;
		if (stopped > 0 && stopped >= TOP_SHARE * (double)samples)
			point->flags |= BLAME_POINT_TOP;
		state->has_rows = point->flags & ~(unsigned)BLAME_POINT_CUT ||
			(double)point->samples >= least_share * (double)samples;
	}
}

bool points_have_rows(const struct points *p, uint32_t point)
{
	return p->state.at[point].has_rows;
}

void points_take(struct points *p, struct blame *blame)
{
	blame->point.at = p->point.at;
	blame->point.n = p->point.n;
	blame->point.room = p->point.room;
	p->point.at = NULL;
	p->point.n = p->point.room = 0;
}

void points_release(struct points *p)
{
	for (size_t i = 0; i < p->point.n; i++)
		free(p->point.at[i].path);
	vec_free(&p->point);
	vec_free(&p->state);
	map_free(&p->children);
}
