/* SPDX-License-Identifier: BSD-3-Clause */
/* delay_barriers.c - computes delay costs at the barriers of a team: finds the culprit of each
 * wait, and the regions in which the culprit was late. Called by one thread; owns nothing.
 *
 * For long waits, the runtime has recorded the thread that came last to the barrier. If this thread
 * came after a long time, the runtime has also recorded in which region it was late. Then
 * delay_reported.c charges the wait. This file charges the other waits. If no culprit is recorded,
 * the thread that waited least below the same node is assumed to be the culprit.
 *
 * A wait is charged to the nodes in which the culprit spent more time than the victim. The times
 * are sums over all teams that one thread forked at one node during the run. If culprit and victim
 * delayed each other in turn, these excesses may be shorter than the waits. Then the rest is
 * charged to nodes in which both spent time, but only if the runtime has recorded the culprit. The
 * times are compared once for each pair of culprit and victim, not for each barrier, because a
 * program may have as many barriers as nodes. */
#include "base/muldiv.h"
#include "base/sort.h"
#include "experiment/causes/delay_team.h"

#include <stdlib.h>

/* If a pair has at most this number of causes, each wait is charged to all of them. With more
 * causes at each of thousands of barriers, this would give too many rows to store or to read. So
 * the waits of a pair with more causes use up these causes one after the other. The causes are in
 * the order of struct delay_walk, and the waits in the order of their node numbers. */
enum { MOST_CAUSES = 32 };

/* node: of the barrier; parent: the node above `node` */
struct barrier_wait { uint32_t parent, node, pu, culprit; bool reported; int64_t ns; };
typedef VEC(struct barrier_wait) barrier_waits;
struct cause { uint32_t node; int64_t ns; };
struct causes { /* if there are many causes, waits use up the ns of a cause */
	VEC(struct cause) list;
	size_t turn[2];          /* index of the next cause to use up: [0] work, [1] waits */
};
struct pair { /* a culprit and a victim */
	/* excess: nodes in which the culprit spent more time than the victim, and the difference;
	 * common: nodes in which both spent time, and the shorter of the two times */
	struct causes excess, common;
	int64_t all_ns;          /* sum of the excess */
	/* the part of all_ns that is in barriers below a node, by the node's index_in_team */
	int64_t *waited_ns;
};
/* items of each thread, in the order of the walk */
struct units { size_t *first; const struct delay_item **item; };

/* The position of the node in the order of struct delay_walk, counted from the team's node. */
static uint32_t index_in_team(const struct delay_team *t, uint32_t node)
{
	return t->walk->order[node] - t->walk->order[t->item[0].team];
}

/* -- finding culprits -------------------------------------------------------------------------- */

/* The member of the team that waited least in the n waits. Of several such members, the first one.
 * `ns` has an element for each slot, and is zero before and after the call. */
static uint32_t least_of(const struct delay_team *t, const struct units *u,
			 const struct barrier_wait *wait, size_t n, int64_t *ns)
{
	uint32_t least = NONE;
	for (size_t i = 0; i < n; i++)
		ns[wait[i].pu - t->first_pu] += wait[i].ns;
	for (uint32_t k = 0; k < t->units; k++)
		if (u->first[k + 1] > u->first[k] && (least == NONE || ns[k] < ns[least]))
			least = k;
	for (size_t i = 0; i < n; i++)
		ns[wait[i].pu - t->first_pu] = 0;
	return t->first_pu + least;
}

static void add_part(barrier_waits *list, struct barrier_wait part, uint32_t culprit, bool reported,
		     int64_t ns)
{
	part.culprit = culprit;
	part.reported = reported;
	part.ns = ns;
	if (ns > 0)
		*vec_push(list) = part;
}

/* Divides the wait among the culprits that the runtime recorded. The rest goes to `least`. */
static void divide(const struct delay_team *t, const struct barrier_wait *wait, uint32_t least,
		   barrier_waits *list)
{
	size_t n;
	const struct reported_wait *reported =
		delay_reported_at_barrier(t->x, wait->node, wait->pu, &n);
	int64_t all = 0, whole = wait->ns - delay_reported_ns(t->x, wait->node, wait->pu),
		left = whole;
	for (size_t i = 0; i < n; i++)
		all += reported[i].ns;
	for (size_t i = 0; i < n; i++) {
		int64_t part = reported[i].ns;
		if (all > whole)
			part = muldiv(whole > 0 ? whole : 0, part, all);
		add_part(list, *wait, reported[i].culprit, true, part);
		left -= part;
	}
	add_part(list, *wait, least, false, left);
}

/* Divides all waits among their culprits. `wait` is sorted by parent. */
static barrier_waits find_culprits(const struct delay_team *t, const struct units *u,
				   const struct barrier_wait *wait, size_t n)
{
	barrier_waits list = { 0 };
	int64_t *ns = mem_alloc(t->units, sizeof *ns);
	for (size_t first = 0, end; first < n; first = end) {
		for (end = first + 1; end < n && wait[end].parent == wait[first].parent;)
			end++;
		uint32_t least = least_of(t, u, &wait[first], end - first, ns);
		for (size_t i = first; i < end; i++)
			divide(t, &wait[i], least, &list);
	}
	free(ns);
	return list;
}

/* -- causes: what culprit and victim did ------------------------------------------------------- */

static void compare_units(const struct delay_team *t, const struct units *u, uint32_t culprit,
			  uint32_t pu, struct pair *pair)
{
	const struct experiment *x = t->x;
	size_t other = u->first[pu - t->first_pu], end = u->first[pu - t->first_pu + 1];
	for (size_t i = u->first[culprit - t->first_pu]; i < u->first[culprit - t->first_pu + 1];
	     i++) {
		const struct delay_item *item = u->item[i];
		while (other < end && u->item[other]->order < item->order)
			other++;
		bool both = other < end && u->item[other]->order == item->order;
		int64_t others_ns = both ? u->item[other]->ns : 0;
		int64_t more = item->ns - others_ns, common = more < 0 ? item->ns : others_ns;
		if (more > 0) {
			*vec_push(&pair->excess.list) = (struct cause){ item->node, more };
			pair->all_ns += more;
		}
		if (more > 0 && delay_is_at_barrier(x, item->node)) {
			uint32_t parent = x->model.node.at[item->node].parent;
			pair->waited_ns[index_in_team(t, parent)] += more;
		}
		if (common > 0)
			*vec_push(&pair->common.list) = (struct cause){ item->node, common };
	}
}

static void clear_causes(struct causes *c)
{
	c->list.n = 0;
	c->turn[0] = c->turn[1] = 0;
}

static void clear_pair(const struct delay_team *t, struct pair *pair)
{
	const struct experiment *x = t->x;
	for (size_t i = 0; i < pair->excess.list.n; i++) {
		uint32_t node = pair->excess.list.at[i].node;
		if (delay_is_at_barrier(x, node))
			pair->waited_ns[index_in_team(t, x->model.node.at[node].parent)] = 0;
	}
	clear_causes(&pair->excess);
	clear_causes(&pair->common);
	pair->all_ns = 0;
}

/* -- charging a wait --------------------------------------------------------------------------- */

/* Whether the cause is work of the culprit or, if `waits`, a wait of the culprit. */
static bool counts(const struct delay_team *t, const struct barrier_wait *wait,
		   const struct cause *cause, bool waits)
{
	const struct experiment *x = t->x;
	bool at_barrier = delay_is_at_barrier(x, cause->node),
	     is_wait = at_barrier ||
		sis_overhead_in(region_leaf(region_of_node(x, cause->node)), OSYNC);
	if (at_barrier && x->model.node.at[cause->node].parent == wait->parent)
		return false; /* waiting at the same barrier is no cause */
	return is_wait == waits;
}

static void charge(const struct delay_team *t, const struct barrier_wait *wait, uint32_t node,
		   int64_t ns)
{
	delay_charge(t->x, t->causes, wait->node, wait->pu, wait->culprit, node, ns);
}

/* Charges at most `ns` of the wait to causes that are work of the culprit or, if `waits`, waits of
 * the culprit. The time is divided in proportion to the causes or, if there are many causes,
 * charged to the next ones. Returns the time that was charged. */
static int64_t charge_some(const struct delay_team *t, const struct barrier_wait *wait,
			   struct causes *causes, bool waits, int64_t ns)
{
	struct cause *cause = causes->list.at;
	size_t n = causes->list.n;
	if (n <= MOST_CAUSES) {
		int64_t all = 0;
		for (size_t i = 0; i < n; i++)
			all += counts(t, wait, &cause[i], waits) ? cause[i].ns : 0;
		ns = ns < all ? ns : all;
		for (size_t i = 0; i < n && ns > 0; i++)
			if (counts(t, wait, &cause[i], waits))
				charge(t, wait, cause[i].node, muldiv(ns, cause[i].ns, all));
		return ns > 0 ? ns : 0;
	}
	int64_t left = ns;
	for (size_t *i = &causes->turn[waits]; *i < n && left > 0;) {
		struct cause *next = &cause[*i];
		int64_t part = next->ns < left ? next->ns : left;
		if (counts(t, wait, next, waits)) {
			charge(t, wait, next->node, part);
			next->ns -= part;
			left -= part;
		}
		*i += left > 0;
	}
	return ns - left;
}

/* Charges the wait. The culprit's work is charged first. The culprit's own waits get only the rest,
 * because the victim may still have worked during them. Time that exceeds all causes gets no
 * culprit. */
static void share(const struct delay_team *t, const struct barrier_wait *wait, struct pair *pair)
{
	int64_t all = pair->all_ns - pair->waited_ns[index_in_team(t, wait->parent)];
	int64_t explained = wait->ns < all ? wait->ns : all;
	int64_t by_work = charge_some(t, wait, &pair->excess, false, explained);
	int64_t by_waits = charge_some(t, wait, &pair->excess, true, explained - by_work);
	if (wait->reported)
		charge_some(t, wait, &pair->common, false, wait->ns - by_work - by_waits);
}

static void share_all(const struct delay_team *t, const struct units *u,
		      const struct barrier_wait *wait, size_t n)
{
	struct pair pair = { .waited_ns = mem_alloc(t->walk->size[t->item[0].team],
						    sizeof *pair.waited_ns) };
	for (size_t first = 0, end; first < n; first = end) {
		uint32_t culprit = wait[first].culprit, pu = wait[first].pu;
		if (culprit != pu)
			compare_units(t, u, culprit, pu, &pair);
		for (end = first; end < n && wait[end].culprit == culprit && wait[end].pu == pu;
		     end++)
			if (culprit != pu)
				share(t, &wait[end], &pair);
		clear_pair(t, &pair);
	}
	vec_free(&pair.excess.list);
	vec_free(&pair.common.list);
	free(pair.waited_ns);
}

/* -- all waits of a team ----------------------------------------------------------------------- */

static int by_parent(const void *va, const void *vb)
{
	const struct barrier_wait *a = va, *b = vb;
	return ORDER(a->parent, b->parent) ?: ORDER(a->pu, b->pu);
}

static int by_pair(const void *va, const void *vb)
{
	const struct barrier_wait *a = va, *b = vb;
	return ORDER(a->culprit, b->culprit) ?: ORDER(a->pu, b->pu) ?: ORDER(a->node, b->node) ?:
		ORDER(b->reported, a->reported);
}

void delay_team_barriers(const struct delay_team *t)
{
	barrier_waits wait = { 0 };
	for (size_t i = 0; i < t->n; i++)
		if (delay_is_at_barrier(t->x, t->item[i].node) &&
		    delay_is_of_team(t, t->item[i].node))
			*vec_push(&wait) = (struct barrier_wait){
				.parent = t->x->model.node.at[t->item[i].node].parent,
				.node = t->item[i].node,
				.pu = t->item[i].pu,
				.ns = t->item[i].ns
			};
	if (wait.n) {
		struct units u = { mem_alloc(t->units + 2, sizeof *u.first),
				   mem_alloc(t->n + 1, sizeof *u.item) };
		for (size_t i = 0; i < t->n; i++)
			u.first[t->item[i].pu - t->first_pu + 2]++;
		for (uint32_t k = 2; k < t->units + 2; k++)
			u.first[k] += u.first[k - 1];
		for (size_t i = 0; i < t->n; i++) /* moves first[k + 1] to the end of unit k */
			u.item[u.first[t->item[i].pu - t->first_pu + 1]++] = &t->item[i];
		vec_sort(&wait, by_parent);
		barrier_waits part = find_culprits(t, &u, wait.at, wait.n);
		vec_sort(&part, by_pair);
		share_all(t, &u, part.at, part.n);
		vec_free(&part);
		free(u.first);
		free(u.item);
	}
	vec_free(&wait);
}
