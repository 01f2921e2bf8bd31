/* SPDX-License-Identifier: BSD-3-Clause */
/* delay_reported.c - computes the delay costs of waits between threads of a process, if the runtime
 * recorded the culprits. The culprit is the thread that held the lock, executed the last task, or
 * came last to the rendezvous. The runtime also recorded in which region this thread was. Called by
 * one thread; owns causes.reported_wait.
 *
 * At a barrier of a team, the runtime records which thread came last. If this thread came after a
 * long time, the runtime also records the region in which it spent more time than the victim.
 * Otherwise delay_barriers.c estimates the regions from the times of the whole team.
 *
 * Sometimes the runtime only knew that the culprit was in a node or below it (SIS_CULPRIT_INSIDE).
 * Then the wait is distributed over this subtree, in proportion to the culprit's exclusive times,
 * without the culprit's own waits. */
#include "experiment/causes/delay.h"

#include "base/muldiv.h"
#include "base/sort.h"
#include "experiment/causes/law.h"
#include "experiment/causes/wait_pairs.h"
#include "experiment/model/regions.h"

/* Exclusive time of a processing unit in a node. */
struct own { uint32_t pu, node; int64_t ns; };
struct reported_waits {
	const struct experiment *x;
	struct experiment_causes *causes;
	warning_list *warnings;
	/* the waits in the profiles, sorted by culprit and culprit_node */
	VEC(struct reported_wait) raw;
	VEC(struct own) own;    /* of all PUs, without waits */
	VEC(struct own) inside; /* the result of the last find_inside */
};

static bool is_wait(const struct experiment *x, uint32_t node)
{
	return sis_overhead_in(region_leaf(region_of_node(x, node)), OSYNC);
}

static int by_pu_and_node(const void *va, const void *vb)
{
	const struct own *a = va, *b = vb;
	return ORDER(a->pu, b->pu) ?: ORDER(a->node, b->node);
}

static int by_culprit(const void *va, const void *vb)
{
	const struct reported_wait *a = va, *b = vb;
	return ORDER(a->culprit, b->culprit) ?: ORDER(a->culprit_node, b->culprit_node) ?:
		ORDER(b->inside, a->inside);
}

static int by_victim(const void *va, const void *vb)
{
	const struct reported_wait *a = va, *b = vb;
	return ORDER(a->node, b->node) ?: ORDER(a->pu, b->pu) ?: ORDER(a->culprit, b->culprit) ?:
		ORDER(a->culprit_node, b->culprit_node);
}

/* -- reading culprits from the profiles -------------------------------------------------------- */

static void take_culprit(struct reported_waits *t, const struct process *p,
			 const struct profile_culprit *c)
{
	uint32_t node = p->global[c->node], culprit_node = p->global[c->culprit];
	bool no_processor = c->flags & SIS_CULPRIT_NO_PROCESSOR;
	if (node == NONE || culprit_node == NONE || c->slot >= p->slots || c->other >= p->slots ||
	    (c->slot == c->other && !no_processor))
		return;
	*vec_push(&t->raw) = (struct reported_wait){ .node = node,
						     .pu = p->first_pu + c->slot,
						     .culprit = p->first_pu + c->other,
						     .culprit_node = culprit_node,
						     .ns = clock_span_ns(&p->clock, c->ticks),
						     .estimated = c->flags & SIS_CULPRIT_ESTIMATED,
						     .inside = c->flags & SIS_CULPRIT_INSIDE,
						     .no_processor = no_processor };
}

static void take_all(struct reported_waits *t, const struct timelines *timelines)
{
	for (size_t i = 0; i < t->x->model.process.n; i++) {
		const struct process *p = &t->x->model.process.at[i];
		if (timelines_whole(timelines, i))
			continue;
		for (size_t k = 0; k < p->profile.culprit.n; k++) {
			const struct profile_culprit *c = &p->profile.culprit.at[k];
			if (c->node == NONE)
				warnings_add(
					t->warnings,
					"process %u thread %u waited for other threads in more "
					"ways than are recorded "
					"(the culprits of %.3f s are not known)",
					p->index, c->slot,
					(double)clock_span_ns(&p->clock, c->ticks) / 1e9);
			else
				take_culprit(t, p, c);
		}
	}
	vec_sort(&t->raw, by_culprit);
}

/* -- culprits in a node or below it ------------------------------------------------------------ */

/* Whether the node is `top` or below it. Parents have smaller numbers than children. */
static bool is_below(const struct experiment *x, uint32_t node, uint32_t top)
{
	while (node != NONE && node > top)
		node = x->model.node.at[node].parent;
	return node == top;
}

/* Fills t->inside with the unit's times in the node and below it. */
static void find_inside(struct reported_waits *t, uint32_t pu, uint32_t node)
{
	const struct own key = { .pu = pu, .node = node };
	t->inside.n = 0;
	for (size_t i = search_first(k, 0, t->own.n, by_pu_and_node(&t->own.at[k], &key) < 0);
	     i < t->own.n && t->own.at[i].pu == pu; i++)
		if (is_below(t->x, t->own.at[i].node, node))
			*vec_push(&t->inside) = t->own.at[i];
}

static void keep(struct reported_waits *t, const struct reported_wait *raw, uint32_t culprit_node,
		 int64_t ns, bool estimated)
{
	struct reported_wait wait = *raw;
	wait.culprit_node = culprit_node;
	wait.ns = ns;
	wait.estimated = estimated;
	if (ns > 0)
		*vec_push(&t->causes->reported_wait) = wait;
}

/* Distributes the wait over the nodes in t->inside. The part of a node is not marked as an estimate
 * if the node has at least 19/20 of the time of all these nodes. */
static void distribute_ns(struct reported_waits *t, const struct reported_wait *raw)
{
	int64_t all = 0, left = raw->ns;
	for (size_t i = 0; i < t->inside.n; i++)
		all += t->inside.at[i].ns;
	for (size_t i = 0; i < t->inside.n; i++) {
		int64_t own = t->inside.at[i].ns, part = muldiv(raw->ns, own, all);
		left -= part;
		keep(t, raw, t->inside.at[i].node, part, own < all - all / 20);
	}
	keep(t, raw, raw->culprit_node, left, true);
}

static void locate_all(struct reported_waits *t)
{
	for (size_t i = 0; t->raw.n && i < t->x->model.summary.n; i++) {
		const struct summary *s = &t->x->model.summary.at[i];
		if (s->excl_ns > 0 && !is_wait(t->x, s->node))
			*vec_push(&t->own) = (struct own){ s->pu, s->node, s->excl_ns };
	}
	vec_sort(&t->own, by_pu_and_node);
	for (size_t i = 0; i < t->raw.n; i++) {
		const struct reported_wait *raw = &t->raw.at[i];
		if (raw->inside && delay_is_at_barrier(t->x, raw->node)) {
			*vec_push(&t->causes->reported_at_barrier) = *raw;
			continue;
		}
		if (!raw->inside) {
			keep(t, raw, raw->culprit_node, raw->ns, raw->estimated);
			continue;
		}
		if (i == 0 || by_culprit(raw, raw - 1) != 0)
			find_inside(t, raw->culprit, raw->culprit_node);
		distribute_ns(t, raw);
	}
	vec_sort(&t->causes->reported_wait, by_victim);
	vec_sort(&t->causes->reported_at_barrier, by_victim);
}

/* -- costs of reported waits ------------------------------------------------------------------- */

static size_t first_at(const struct reported_wait *at, size_t n, uint32_t node, uint32_t pu)
{
	return search_first(i, 0, n, at[i].node < node || (at[i].node == node && at[i].pu < pu));
}

bool delay_is_at_barrier(const struct experiment *x, uint32_t node)
{
	enum sis_region_type type = region_of_node(x, node)->type;
	return type == RT_IBAR || type == RT_EBAR || type == RT_UNPAR || type == RT_PART;
}

const struct reported_wait *delay_reported_at_barrier(const struct experiment *x, uint32_t node,
						      uint32_t pu, size_t *n)
{
	const struct reported_wait *at = x->causes.reported_at_barrier.at;
	size_t all = x->causes.reported_at_barrier.n, first = first_at(at, all, node, pu);
	for (*n = 0; first + *n < all && at[first + *n].node == node && at[first + *n].pu == pu;)
		++*n;
	return at + first;
}

static bool is_at(const struct experiment *x, size_t i, uint32_t node, uint32_t pu)
{
	return i < x->causes.reported_wait.n && x->causes.reported_wait.at[i].node == node &&
		x->causes.reported_wait.at[i].pu == pu;
}

int64_t delay_reported_ns(const struct experiment *x, uint32_t node, uint32_t pu)
{
	const struct reported_wait *at = x->causes.reported_wait.at;
	int64_t ns = 0;
	for (size_t i = first_at(at, x->causes.reported_wait.n, node, pu); is_at(x, i, node, pu);
	     i++)
		ns += at[i].ns;
	return ns;
}

/* Charges a unit's waits in one node. Their sum is limited to the time that the unit spent in the
 * node. */
static void book_waits_in(const struct experiment *x, struct experiment_causes *c, size_t first)
{
	uint32_t node = x->causes.reported_wait.at[first].node,
		 pu = x->causes.reported_wait.at[first].pu, s = experiment_summary(x, node, pu);
	enum sis_overhead leaf = region_leaf(region_of_node(x, node));
	int64_t all = delay_reported_ns(x, node, pu),
		most = s == MAP_NONE ? 0 : x->model.summary.at[s].excl_ns;
	for (size_t i = first; is_at(x, i, node, pu); i++) {
		struct reported_wait *t = &x->causes.reported_wait.at[i];
		t->ns = all > most ? muldiv(t->ns, most, all) : t->ns;
		struct delay_cost *cost = delay_cost_at(c, node, leaf, t->culprit, t->culprit_node);
		t->ns = law_allowed(x, pu, t->culprit, t->culprit_node, t->ns);
		law_charge(x, c, pu, t->culprit, t->culprit_node, t->ns);
		wait_pair_add(c, cost, pu, t->ns, 0);
		bool examined = delay_is_at_barrier(x, node);
		cost->passed_ns += is_wait(x, t->culprit_node) && !t->no_processor ? t->ns : 0;
		cost->estimated_ns += t->estimated ? t->ns : 0;
		cost->no_processor_ns += t->no_processor ? t->ns : 0;
		cost->examined_ns += examined ? t->ns : 0;
	}
}

void delay_costs_reported(const struct experiment *x, struct experiment_causes *c,
			  const struct timelines *timelines, warning_list *warnings)
{
	struct reported_waits t = { .x = x, .causes = c, .warnings = warnings };
	take_all(&t, timelines);
	locate_all(&t);
	for (size_t i = 0; i < x->causes.reported_wait.n; i++)
		if (i == 0 ||
		    !is_at(x, i - 1, x->causes.reported_wait.at[i].node,
			   x->causes.reported_wait.at[i].pu))
			book_waits_in(x, c, i);
	vec_free(&t.raw);
	vec_free(&t.own);
	vec_free(&t.inside);
}
