/* SPDX-License-Identifier: BSD-3-Clause */
/* interval_times.c - see interval_times.h. Owns the sums of one unit at a time; one thread.
 *
 * Between two events a thread is in one node, which gets the time as exclusive. When the outermost
 * activation of a node ends, the node gets its time as inclusive. */
#include "timeline/interval_times.h"

#include <stdlib.h>

#include "base/clamp.h"
#include "base/sort.h"
#include "timeline/activations.h"

struct open { uint32_t node; int64_t enter; bool is_outermost; };
struct sum { uint64_t calls, subs; int64_t incl_ns, excl_ns; bool used; };
struct adding {
	const struct experiment *x;
	struct interval_times *to;
	int64_t from, to_ns;     /* of the interval, as in the experiment */
	struct sum *sum;         /* of the unit, by node */
	VEC(uint32_t) used;      /* nodes with sums */
	uint32_t pu;
	int64_t last, end;       /* time of the last event; the end of the process */
	bool has_root;           /* see pass() */
	bool is_known;           /* what the thread does if no activation is open */
	VEC(struct open) open;
};

/* The part of a time that is in the interval. */
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

/* Time passes until `ns`, in the innermost activation or outside of all. There, the initial thread
 * is in the root. Others are idle or do not exist, which a trace cannot distinguish. */
static void pass(struct adding *a, int64_t ns)
{
	uint32_t root = a->x->model.root, node = a->open.n ? a->open.at[a->open.n - 1].node : root;
	int64_t passed = clip(a, a->last, ns);
	bool is_outside = !a->open.n;
	a->last = ns > a->last ? ns : a->last;
	if (!passed)
		return;
	if (node == NONE || (is_outside && !a->is_known))
		a->to->unknown_ns.at[a->pu] += passed;
	else if (!is_outside || a->has_root)
		sum_of(a, node)->excl_ns += passed;
	if (a->is_known && a->has_root)
		sum_of(a, root)->incl_ns += passed;
}

/* Before the first event, the thread was outside of all regions. */
static void begin_unit(void *self, uint32_t pu)
{
	struct adding *a = self;
	const struct process *process = &a->x->model.process.at[a->x->model.pu.at[pu].process];
	a->last = process->start_ns;
	a->end = process->end_ns;
	a->pu = pu;
	a->to->unknown_ns.at[pu] = 0;
	a->is_known = true;
	a->has_root = a->x->model.pu.at[pu].slot == 0;
}

static void enter(void *self, const struct activation *activation, int64_t ns, bool begins)
{
	struct adding *a = self;
	bool counts = begins && ns >= a->from && ns < a->to_ns;
	pass(a, ns);
	if (counts && activation->node != NONE)
		sum_of(a, activation->node)->calls++;
	if (counts && activation->parent != NONE)
		sum_of(a, activation->parent)->subs++;
	*vec_push(&a->open) = (struct open){ activation->node, ns, !activation->node_is_open };
}

static void leave(void *self, const struct activation *activation, int64_t ns)
{
	struct adding *a = self;
	(void)activation;
	pass(a, ns);
	struct open open = a->open.at[--a->open.n];
	int64_t incl = clip(a, open.enter, ns);
	if (incl && open.node != NONE && open.is_outermost)
		sum_of(a, open.node)->incl_ns += incl;
}

static void stop(void *self, int64_t ns)
{
	struct adding *a = self;
	pass(a, ns);
	a->is_known = false;
}

/* If regions are open when the stream begins, the trace was switched on later than the process
 * began. */
static void resume(void *self, bool knows_outer, bool some_open, int64_t ns)
{
	struct adding *a = self;
	if (some_open && !a->open.n && a->last < ns)
		a->is_known = false;
	pass(a, ns);
	a->is_known = knows_outer;
}

static int by_node(const void *va, const void *vb)
{
	const uint32_t *a = va, *b = vb;
	return ORDER(*a, *b);
}

static void end_unit(void *self)
{
	struct adding *a = self;
	pass(a, a->end);
	vec_sort(&a->used, by_node);
	for (size_t i = 0; i < a->used.n; i++) {
		struct sum *sum = &a->sum[a->used.at[i]];
		*vec_push(&a->to->time) = (struct interval_time){
			a->used.at[i], a->pu, sum->calls, sum->subs, sum->incl_ns, sum->excl_ns
		};
		*sum = (struct sum){ 0 };
	}
	vec_free(&a->used);
	vec_free(&a->open);
}

void interval_times_read(struct interval_times *t, const struct experiment *x,
			 struct traces *traces, int64_t from_ns, int64_t to_ns)
{
	static const struct activation_reader reader = {
		.unit = begin_unit,
		.enter = enter,
		.leave = leave,
		.pause = stop,
		.resume = resume,
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
