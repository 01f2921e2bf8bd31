/* SPDX-License-Identifier: BSD-3-Clause */
/* interval_times.c - computes the times of nodes in an interval. Owns the sums of one unit at a
 * time; called by one thread.
 *
 * Between two events a thread is in one node. The time between them is added to the exclusive time
 * of this node. When the outermost activation of a node ends, its time is added to the inclusive
 * time of the node. */
#include "experiment/timeline/interval_times.h"

#include <stdlib.h>

#include "base/clamp.h"
#include "base/sort.h"
#include "experiment/timeline/activations.h"

struct sum { uint64_t calls, subs; int64_t incl_ns, excl_ns; bool used; };
struct adding {
	const struct experiment *x;
	struct interval_times *to;
	int64_t from, to_ns;     /* begin and end of the interval */
	struct sum *sum;         /* of the unit, by node */
	VEC(uint32_t) used;      /* nodes with sums */
	uint32_t pu;
	bool has_root;           /* whether the unit is an initial thread: see pass() */
};

/* The length of the part of from .. to that is in the interval. */
static int64_t clip(const struct adding *a, int64_t from, int64_t to)
{
	from = from > a->from ? from : a->from;
	to = to < a->to_ns ? to : a->to_ns;
	return to > from ? to - from : 0;
}

static struct sum *sum_of(struct adding *a, uint32_t node)
{
	struct sum *sum = &a->sum[node];
	if (!sum->used)
		*vec_push(&a->used) = node;
	sum->used = true;
	return sum;
}

/* Outside of all activations, the initial thread is in the root. Other threads are idle or do not
 * exist; a trace does not say which. */
static void pass(void *self, const struct activation *in, bool is_known, int64_t from, int64_t to)
{
	struct adding *a = self;
	uint32_t root = a->x->model.root, node = in ? in->node : root;
	int64_t passed = clip(a, from, to);
	if (!passed)
		return;
	if (node == NONE || (!in && !is_known))
		a->to->unknown_ns.at[a->pu] += passed;
	else if (in || a->has_root)
		sum_of(a, node)->excl_ns += passed;
	if (is_known && a->has_root)
		sum_of(a, root)->incl_ns += passed;
}

static void begin_unit(void *self, uint32_t pu)
{
	struct adding *a = self;
	a->pu = pu;
	a->to->unknown_ns.at[pu] = 0;
	a->has_root = a->x->model.pu.at[pu].slot == 0;
}

static void enter(void *self, const struct activation *activation, int64_t ns)
{
	struct adding *a = self;
	bool counts = activation->begins && ns >= a->from && ns < a->to_ns;
	if (counts && activation->node != NONE)
		sum_of(a, activation->node)->calls++;
	if (counts && activation->parent != NONE)
		sum_of(a, activation->parent)->subs++;
}

static void leave(void *self, const struct activation *activation, int64_t ns)
{
	struct adding *a = self;
	int64_t incl = clip(a, activation->enter_ns, ns);
	if (incl && activation->node != NONE && !activation->node_is_open)
		sum_of(a, activation->node)->incl_ns += incl;
}

static int by_node(const void *va, const void *vb)
{
	const uint32_t *a = va, *b = vb;
	return ORDER(*a, *b);
}

static void end_unit(void *self)
{
	struct adding *a = self;
	vec_sort(&a->used, by_node);
	for (size_t i = 0; i < a->used.n; i++) {
		struct sum *sum = &a->sum[a->used.at[i]];
		*vec_push(&a->to->time) = (struct interval_time){
			a->used.at[i], a->pu, sum->calls, sum->subs, sum->incl_ns, sum->excl_ns
		};
		*sum = (struct sum){ 0 };
	}
	vec_free(&a->used);
}

void interval_times_read(struct interval_times *t, const struct experiment *x,
			 struct traces *traces, int64_t from_ns, int64_t to_ns)
{
	static const struct activation_reader reader = {
		.unit = begin_unit,
		.time = pass,
		.enter = enter,
		.leave = leave,
		.end_unit = end_unit,
	};
	struct adding a = {
		.x = x,
		.to = t,
		.from = clamp_add(x->model.start_ns, from_ns),
		.to_ns = to_ns < 0 ? INT64_MAX : clamp_add(x->model.start_ns, to_ns),
		.sum = mem_alloc(x->model.node.n + 1, sizeof *a.sum),
	};
	*t = (struct interval_times){ 0 };
	vec_alloc(&t->unknown_ns, x->model.pu.n);
	for (size_t i = 0; i < x->model.pu.n; i++) {
		const struct pu *pu = &x->model.pu.at[i];
		const struct process *p = &x->model.process.at[pu->process];
		if (pu->slot == 0)
			t->unknown_ns.at[i] = clip(&a, p->start_ns, p->end_ns);
	}
	t->traces_without_profile = activations_read(x, traces, from_ns, to_ns, &reader, &a);
	free(a.sum);
}

void interval_times_release(struct interval_times *t)
{
	vec_free(&t->time);
	vec_free(&t->unknown_ns);
}
