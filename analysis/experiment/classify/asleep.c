/* SPDX-License-Identifier: BSD-3-Clause */
/* asleep.c - finds how long threads slept in nodes of work. The source is the kernel's records of
 * switches. Called by one thread; owns nothing.
 *
 * If the runtime knows a call that sleeps, the sleep has a node of its own (RT_ASLEEP). Other calls
 * have no such node: calls of libraries that call the kernel themselves, of stdio, and of pthreads
 * without a region. Their sleep is in the kernel's records of the node around the call. It is:
 *
 *     asleep in the node, by the records
 *     less its child RT_ASLEEP, if the runtime added the child's time after the call
 *
 * This sleep is taken from useful work, and from calls of input and output. The kernel's records of
 * such calls do not include waits for files. Other nodes sleep because they wait for other
 * threads. */
#include <stdlib.h>

#include "base/clamp.h"
#include "base/sort.h"
#include "experiment/classify/classify_internal.h"
#include "experiment/model/regions.h"

struct taking {
	const struct experiment *x;
	int64_t *asleep; /* by summary: sleep that has not been moved yet */
};

static enum sis_region_type type_of(const struct experiment *x, uint32_t node)
{
	return region_of_node(x, node)->type;
}

static void add_recorded(struct taking *t, const struct process *process)
{
	const struct profile *p = &process->profile;
	for (size_t i = 0; i < p->unscheduled.n; i++) {
		const struct profile_unscheduled *s = &p->unscheduled.at[i];
		uint32_t global = s->node == NONE ? NONE : process->global[s->node];
		uint32_t at = global == NONE || s->slot >= process->slots ?
			INDEX_NONE :
			experiment_summary(t->x, global, process->first_pu + s->slot);
		if (at != INDEX_NONE)
			t->asleep[at] = clamp_add(t->asleep[at], (int64_t)s->blocked_ns);
	}
}

/* Some sleep is added to a node RT_ASLEEP only after the call. During the call, the node around was
 * current, so the kernel's records have this sleep there. It is subtracted there, because it is
 * already known. */
static void subtract_known(struct taking *t)
{
	const struct experiment *x = t->x;
	for (size_t s = 0; s < x->model.summary.n; s++) {
		const struct summary *summary = &x->model.summary.at[s];
		uint32_t parent = x->model.node.at[summary->node].parent;
		if (type_of(x, summary->node) != RT_ASLEEP || parent == NONE)
			continue;
		uint32_t around = experiment_summary(x, parent, summary->pu);
		int64_t after = clamp_subtract(summary->excl_ns, t->asleep[s]);
		if (around != INDEX_NONE && after > 0)
			t->asleep[around] = clamp_subtract(t->asleep[around], after);
	}
}

void take_asleep(const struct experiment *x, struct experiment_classify *c)
{
	size_t bookings = c->booking.n;
	struct taking t = { x, mem_alloc(x->model.summary.n + 1, sizeof *t.asleep) };
	for (size_t i = 0; i < x->model.process.n; i++)
		add_recorded(&t, &x->model.process.at[i]);
	subtract_known(&t);
	for (uint32_t s = 0; s < x->model.summary.n; s++) {
		const struct summary *summary = &x->model.summary.at[s];
		int64_t part = smaller(t.asleep[s], c->useful_ns.at[s]);
		if (part <= 0)
			continue;
		c->useful_ns.fill.at[s] -= part;
		c->pu.fill.at[summary->pu].useful_ns -= part;
		classify_book(c, summary->node, summary->pu, OLOSS_ASLEEP, part);
	}
	for (size_t i = 0; i < bookings; i++) {
		const struct booking b = c->booking.at[i];
		if (!sis_overhead_in(b.leaf, ODATA_IO) || !sis_region_in(type_of(x, b.node), CR_IO))
			continue;
		uint32_t s = experiment_summary(x, b.node, b.pu);
		int64_t part = s == INDEX_NONE ? 0 : smaller(t.asleep[s], b.ns);
		if (part <= 0)
			continue;
		classify_book(c, b.node, b.pu, b.leaf, -part);
		classify_book(c, b.node, b.pu, OLOSS_ASLEEP, part);
	}
	free(t.asleep);
}
