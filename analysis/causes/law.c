/* SPDX-License-Identifier: BSD-3-Clause */
/* law.c - see law.h. One thread; owns causes.charged_ns. */
#include "causes/law.h"

#include <stdlib.h>

#include "model/regions.h"

static int64_t spent_ns(const struct experiment *x, uint32_t pu, uint32_t node)
{
	uint32_t s = experiment_summary(x, node, pu);
	return s == INDEX_NONE ? 0 : x->model.summary.at[s].excl_ns;
}

/* The root stands for what is not recorded, and for the time before a process began. */
static bool is_law_for(const struct experiment *x, uint32_t culprit, uint32_t culprit_node)
{
	return culprit != NONE && culprit_node != NONE &&
		x->model.node.at[culprit_node].parent != NONE;
}

void law_charge(const struct experiment *x, struct experiment_causes *c, uint32_t victim,
		uint32_t culprit, uint32_t culprit_node, int64_t ns)
{
	bool fresh;
	if (ns <= 0 || !is_law_for(x, culprit, culprit_node))
		return;
	uint32_t i = map_put(&c->charged_by_key, (uint64_t)victim << 32 | culprit, culprit_node,
			     c->charged_ns.n, &fresh);
	if (fresh)
		*vec_push(&c->charged_ns) = 0;
	c->charged_ns.at[i] += ns;
}

int64_t law_allowed(const struct experiment *x, uint32_t victim, uint32_t culprit,
		    uint32_t culprit_node, int64_t ns)
{
	const struct experiment_causes *c = &x->causes;
	uint32_t i = map_get(&c->charged_by_key, (uint64_t)victim << 32 | culprit, culprit_node);
	if (!is_law_for(x, culprit, culprit_node))
		return ns;
	int64_t charged = i == MAP_NONE ? 0 : c->charged_ns.at[i],
		room = spent_ns(x, culprit, culprit_node) - charged;
	return ns < room ? ns : room > 0 ? room : 0;
}

void law_violation(struct experiment_causes *c, int64_t ns)
{
	if (ns > c->error_ns)
		c->error_ns = ns;
}

/* -- waits without a cause --------------------------------------------------------------------- */

static bool is_wait(enum sis_overhead leaf)
{
	return (sis_overhead_in(leaf, OSYNC) && leaf != OSYNC_UNCONT) || leaf == OLOSS_UNPAR ||
		leaf == OLOSS_PART;
}

static bool is_root(const struct experiment *x, uint32_t node)
{
	return x->model.node.at[node].parent == NONE;
}

/* At the begin and the end of a run, the root is a cause: a process began late, or went on. While
 * it begins or ends, its other threads are idle. */
static bool is_recorded(const struct experiment *x, const struct delay_cost *cost)
{
	return cost->culprit_node != NONE &&
		(!is_root(x, cost->culprit_node) || cost->leaf == OSYNC_INIT ||
		 cost->leaf == OSYNC_FINWAIT ||
		 (cost->leaf == OLOSS_UNPAR && is_root(x, cost->node)));
}

struct rest { struct map by_place; VEC(int64_t) ns; }; /* of (node, leaf): waits without a cause */

static void add_rest(struct rest *rest, uint32_t node, enum sis_overhead leaf, int64_t ns)
{
	bool fresh;
	uint32_t i = map_put(&rest->by_place, node, leaf, rest->ns.n, &fresh);
	if (fresh)
		*vec_push(&rest->ns) = 0;
	rest->ns.at[i] += ns;
}

/* Whether single waits tell more of the unit's waits in the node than bookings do: they have been
 * found in the trace of its process. Calls of MPI whose own time has the same leaf as their waits
 * have more booked than they waited. Time that is booked on a leaf of another region is in no
 * single wait: a worker outside of parallel regions is idle there. */
static bool has_single_waits(const struct experiment *x, const struct timelines *t, uint32_t pu,
			     uint32_t node, enum sis_overhead leaf)
{
	return region_leaf(region_of_node(x, node)) == leaf &&
		(sis_overhead_in(leaf, OSYNC_M) ||
		 (pu != NONE && timelines_whole(t, x->model.pu.at[pu].process)));
}

/* After the end of their process, idle units wait with the initial thread, for the same others. */
static bool waits_with_initial(const struct experiment *x, const struct booking *b)
{
	return b->leaf == OSYNC_FINWAIT && x->model.pu.at[b->pu].slot != 0;
}

static void add_bookings(struct rest *rest, const struct experiment *x, const struct timelines *t)
{
	for (size_t i = 0; i < x->classify.booking.n; i++) {
		const struct booking *b = &x->classify.booking.at[i];
		if (is_wait(b->leaf) && !waits_with_initial(x, b) &&
		    !has_single_waits(x, t, b->pu, b->node, b->leaf))
			add_rest(rest, b->node, b->leaf, b->ns);
	}
}

/* The time of waits without a recorded cause: what is booked, less the charges with a cause. Where
 * single waits tell more, the charges without a cause are added up instead. */
static int64_t not_recorded(const struct experiment *x, const struct thread_waits *threads)
{
	struct rest rest = { 0 };
	int64_t sum = threads->unknown_ns;
	add_bookings(&rest, x, threads->timelines);
	for (size_t i = 0; i < x->causes.delay_cost.n; i++) {
		const struct delay_cost *d = &x->causes.delay_cost.at[i];
		if (is_wait(d->leaf) &&
		    !has_single_waits(x, threads->timelines, d->culprit, d->node, d->leaf))
			add_rest(&rest, d->node, d->leaf, is_recorded(x, d) ? -d->ns : 0);
		else
			sum += is_recorded(x, d) ? 0 : d->ns;
	}
	for (size_t i = 0; i < rest.ns.n; i++)
		sum += rest.ns.at[i] > 0 ? rest.ns.at[i] : 0;
	map_free(&rest.by_place);
	vec_free(&rest.ns);
	return sum;
}

/* -- the sums of all charges ------------------------------------------------------------------- */

/* By summary: the cost of probes directly below its node. The profile has this cost in a node of
 * its own. A trace has it in the node. */
static int64_t *list_probes(const struct experiment *x)
{
	int64_t *ns = mem_alloc(x->model.summary.n + 1, sizeof *ns);
	for (size_t i = 0; i < x->model.summary.n; i++) {
		const struct summary *s = &x->model.summary.at[i];
		uint32_t parent = x->model.node.at[s->node].parent, above = INDEX_NONE;
		if (region_of_node(x, s->node)->type == RT_PROBE && parent != NONE)
			above = experiment_summary(x, parent, s->pu);
		if (above != INDEX_NONE)
			ns[above] += s->excl_ns;
	}
	return ns;
}

static void check_sums(const struct experiment *x, struct experiment_causes *c)
{
	const struct map *map = &c->charged_by_key;
	int64_t *probes = list_probes(x);
	for (size_t i = 0; i < map->slots; i++) {
		const struct map_entry *e = &map->slot[i];
		if (!e->used)
			continue;
		uint32_t culprit = (uint32_t)e->a, node = (uint32_t)e->b;
		uint32_t s = experiment_summary(x, node, culprit);
		law_violation(c, c->charged_ns.at[e->value] - spent_ns(x, culprit, node) -
			      (s == INDEX_NONE ? 0 : probes[s]));
	}
	free(probes);
}

void law_check(const struct experiment *x, struct experiment_causes *c,
	       const struct thread_waits *threads)
{
	check_sums(x, c);
	map_free(&c->charged_by_key);
	vec_free(&c->charged_ns);
	c->not_recorded_ns = not_recorded(x, threads);
}
