/* SPDX-License-Identifier: BSD-3-Clause */
/* asleep.c - work that slept, by the kernel's records of switches. One thread; owns nothing.
 *
 * A call that the runtime knows has a node of its own for the time that it slept (RT_ASLEEP). Other
 * calls do not: of libraries that call the kernel themselves, of stdio, of pthreads without a
 * region. Their sleep is in the records of the node that called them:
 *
 *     asleep in the node, by the records
 *     less its child RT_ASLEEP, if that was added after the call and was not current meanwhile
 *
 * It is taken from useful work, and from calls of input and output, whose records are without waits
 * for files. Other nodes sleep because they wait for somebody. */
#include <stdlib.h>

#include "base/clamp.h"
#include "classify/classify_internal.h"
#include "model/regions.h"

struct taking {
	const struct experiment *x;
	struct experiment_classify *c;
	int64_t *asleep; /* by summary: that is left to be taken */
};

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

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

/* The time of a node RT_ASLEEP in which it was not current was added to it afterwards. */
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

static void take_from_useful(struct taking *t)
{
	for (uint32_t s = 0; s < t->x->model.summary.n; s++) {
		const struct summary *summary = &t->x->model.summary.at[s];
		int64_t part = smaller(t->asleep[s], t->c->useful_ns.at[s]);
		if (part <= 0)
			continue;
		t->c->useful_ns.fill.at[s] -= part;
		t->c->pu.fill.at[summary->pu].useful_ns -= part;
		classify_book(t->c, summary->node, summary->pu, OLOSS_ASLEEP, part);
	}
}

static void take_from_transfers(struct taking *t)
{
	size_t bookings = t->c->booking.n;
	for (size_t i = 0; i < bookings; i++) {
		const struct booking b = t->c->booking.at[i];
		if (!sis_overhead_in(b.leaf, ODATA_IO) ||
		    !sis_region_in(type_of(t->x, b.node), CR_IO))
			continue;
		uint32_t s = experiment_summary(t->x, b.node, b.pu);
		int64_t part = s == INDEX_NONE ? 0 : smaller(t->asleep[s], b.ns);
		if (part <= 0)
			continue;
		classify_book(t->c, b.node, b.pu, b.leaf, -part);
		classify_book(t->c, b.node, b.pu, OLOSS_ASLEEP, part);
	}
}

void take_asleep(const struct experiment *x, struct experiment_classify *c)
{
	struct taking t = { x, c, mem_alloc(x->model.summary.n + 1, sizeof *t.asleep) };
	for (size_t i = 0; i < x->model.process.n; i++)
		add_recorded(&t, &x->model.process.at[i]);
	subtract_known(&t);
	take_from_useful(&t);
	take_from_transfers(&t);
	free(t.asleep);
}
