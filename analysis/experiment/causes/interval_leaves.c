/* SPDX-License-Identifier: BSD-3-Clause */
/* interval_leaves.c - finds useful work and leaves in an interval of the run. Owns the times of one
 * unit at a time; called by one thread.
 *
 * The whole trace is read, because leaf_parts.c needs the times of the whole run. unit_pieces.c
 * reads it, and gives the pieces of time to this file. */
#include "experiment/causes/interval_leaves.h"

#include "base/clamp.h"
#include "experiment/causes/unit_pieces.h"

struct adding {
	const struct experiment *x;
	struct interval_leaves *to;
	int64_t from, to_ns;     /* begin and end of the interval */
	struct leaf_shares share;
	struct unit_times times; /* of the unit that is read */
};

/* The length of the part of from .. to that is in the interval. */
static int64_t clip(const struct adding *a, int64_t from, int64_t to)
{
	from = from > a->from ? from : a->from;
	to = to < a->to_ns ? to : a->to_ns;
	return to > from ? to - from : 0;
}

static void begin_unit(void *self, uint32_t pu)
{
	struct adding *a = self;
	a->times.pu = pu;
}

static void add_piece(void *self, const struct unit_piece *piece)
{
	struct adding *a = self;
	int64_t whole = piece->to - piece->from, part = clip(a, piece->from, piece->to);
	int64_t whole_left = whole, part_left = part;
	for (size_t i = 0; i < piece->waits; i++) {
		int64_t whole_wait = piece_wait_part(piece, i, whole),
			part_wait = piece_wait_part(piece, i, part);
		unit_times_add_wait(&a->times, piece_wait_state(piece), piece->wait[i].node,
				    piece->wait[i].leaf, whole_wait, part_wait);
		whole_left -= whole_wait;
		part_left -= part_wait;
	}
	unit_times_add(&a->times, piece->state, piece->node, whole_left, part_left);
}

static void add_outside(struct adding *a, enum sis_overhead leaf, int64_t from, int64_t to)
{
	int64_t ns = clip(a, from, to);
	if (ns)
		*vec_push(&a->to->leaf) = (struct interval_leaf){ a->x->model.root, a->times.pu,
								  leaf, ns };
}

static void end_unit(void *self)
{
	struct adding *a = self;
	const struct experiment_model *model = &a->x->model;
	const struct process *p = &model->process.at[model->pu.at[a->times.pu].process];
	add_outside(a, OCTRL_SPAWN, model->start_ns, p->start_ns);
	unit_times_divide(&a->times, &a->share, a->x, a->to);
	add_outside(a, OSYNC_FINWAIT, p->end_ns, model->end_ns);
	unit_times_clear(&a->times);
}

void interval_leaves_find(struct interval_leaves *l, const struct single_waits *waits,
			  const struct timelines *timelines, struct traces *traces,
			  int64_t from_ns, int64_t to_ns)
{
	static const struct piece_reader reader = {
		.begin_unit = begin_unit,
		.piece = add_piece,
		.end_unit = end_unit,
	};
	const struct experiment *x = waits->x;
	struct adding a = {
		.x = x,
		.to = l,
		.from = clamp_add(x->model.start_ns, from_ns),
		.to_ns = clamp_add(x->model.start_ns, to_ns),
	};
	*l = (struct interval_leaves){ .leaf = { 0 } };
	vec_alloc(&l->unknown_ns, x->model.pu.n);
	vec_alloc(&l->uncertain_ns, x->model.pu.n);
	leaf_shares_init(&a.share, x);
	l->traces_without_profile =
		unit_pieces_read(waits, timelines, &a.share, traces, &reader, &a);
	leaf_shares_release(&a.share);
}

void interval_leaves_release(struct interval_leaves *l)
{
	vec_free(&l->leaf), vec_free(&l->unknown_ns), vec_free(&l->uncertain_ns);
}
