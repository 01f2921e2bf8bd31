/* SPDX-License-Identifier: BSD-3-Clause */
/* law.c - checks the charges of delay costs. Called by one thread; owns causes.charged_ns. */
#include "experiment/causes/law.h"

#include <stdlib.h>

#include "experiment/model/regions.h"

/* Fills probes_ns: for each summary, the cost of the probes directly below the summary's node. The
 * profile has this cost in a separate node. A trace has it in the node around the probes. */
void law_begin(const struct experiment *x, struct experiment_causes *c)
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
	free(c->probes_ns);
	c->probes_ns = ns;
}

static int64_t spent_ns(const struct experiment *x, uint32_t pu, uint32_t node)
{
	uint32_t s = experiment_summary(x, node, pu);
	int64_t probes = s == INDEX_NONE || !x->causes.probes_ns ? 0 : x->causes.probes_ns[s];
	return s == INDEX_NONE ? 0 : x->model.summary.at[s].excl_ns + probes;
}

/* The root is excluded, because it stands for what is not recorded, and for the time before a
 * process began. */
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

static bool is_root(const struct experiment *x, uint32_t node)
{
	return x->model.node.at[node].parent == NONE;
}

/* At the begin and the end of a run, the root is a cause: a process began late, or went on after
 * others had ended. While a process begins or ends, its other threads are idle for this reason. */
static bool is_recorded(const struct experiment *x, const struct delay_cost *cost)
{
	return cost->culprit_node != NONE &&
		(!is_root(x, cost->culprit_node) || sis_overhead_is(cost->leaf, IS_OF_ENDS) ||
		 (cost->leaf == OLOSS_UNPAR && is_root(x, cost->node)));
}

struct rest { struct map by_node_and_leaf; VEC(int64_t) ns; }; /* time of waits without a cause */

static void add_rest(struct rest *rest, uint32_t node, enum sis_overhead leaf, int64_t ns)
{
	bool fresh;
	uint32_t i = map_put(&rest->by_node_and_leaf, node, leaf, rest->ns.n, &fresh);
	if (fresh)
		*vec_push(&rest->ns) = 0;
	rest->ns.at[i] += ns;
}

/* Whether the unit's waits in the node are known as single waits. This is so in calls of MPI, and
 * between threads of a process with a trace. Single waits are more exact than bookings: in some
 * calls of MPI, time without waits is booked as the same leaf as waits. If the booking in the node
 * is on another leaf than the region's own, it is idle time of a worker outside of parallel
 * regions. Such time is in no single wait. */
static bool has_single_waits(const struct experiment *x, const struct timelines *t, uint32_t pu,
			     uint32_t node, enum sis_overhead leaf)
{
	return region_leaf(region_of_node(x, node)) == leaf &&
		(sis_overhead_in(leaf, OSYNC_M) ||
		 (pu != NONE && timelines_whole(t, x->model.pu.at[pu].process)));
}

/* The time of waits without a recorded cause. This is the booked time minus the charges that have a
 * cause. Where single waits are known, it is the sum of the charges that have no cause. */
static int64_t not_recorded(const struct experiment *x, const struct thread_waits *threads)
{
	struct rest rest = { 0 };
	int64_t sum = threads->unknown_ns;
	for (size_t i = 0; i < x->classify.booking.n; i++) {
		const struct booking *b = &x->classify.booking.at[i];
		/* After the end of a process, the initial thread's wait counts for all its
		 * units. */
		bool with_initial = b->leaf == OSYNC_FINWAIT && x->model.pu.at[b->pu].slot != 0;
		if (sis_overhead_is(b->leaf, IS_WAIT) && !with_initial &&
		    !has_single_waits(x, threads->timelines, b->pu, b->node, b->leaf))
			add_rest(&rest, b->node, b->leaf, b->ns);
	}
	for (size_t i = 0; i < x->causes.delay_cost.n; i++) {
		const struct delay_cost *d = &x->causes.delay_cost.at[i];
		if (sis_overhead_is(d->leaf, IS_WAIT) &&
		    !has_single_waits(x, threads->timelines, d->culprit, d->node, d->leaf))
			add_rest(&rest, d->node, d->leaf, is_recorded(x, d) ? -d->ns : 0);
		else
			sum += is_recorded(x, d) ? 0 : d->ns;
	}
	for (size_t i = 0; i < rest.ns.n; i++)
		sum += rest.ns.at[i] > 0 ? rest.ns.at[i] : 0;
	map_free(&rest.by_node_and_leaf);
	vec_free(&rest.ns);
	return sum;
}

/* -- checking the sums of all charges ---------------------------------------------------------- */

void law_check(const struct experiment *x, struct experiment_causes *c,
	       const struct thread_waits *threads)
{
	for (size_t i = 0; i < c->charged_by_key.slots; i++) {
		const struct map_entry *e = &c->charged_by_key.slot[i];
		if (e->used)
			law_violation(c, c->charged_ns.at[e->value] -
				      spent_ns(x, (uint32_t)e->a, (uint32_t)e->b));
	}
	map_free(&c->charged_by_key);
	vec_free(&c->charged_ns);
	free(c->probes_ns);
	c->probes_ns = NULL;
	c->not_recorded_ns = not_recorded(x, threads);
}
