/* SPDX-License-Identifier: BSD-3-Clause */
/* delay_barriers.c - delay costs at the barriers of a team: finds the culprit of each wait, and the
 * regions in which it was late. One thread; owns nothing.
 *
 * The runtime has recorded which thread came last to the barriers at which a thread waited long,
 * and where that thread was late if it came after a long interval (delay_reported.c). This is for
 * the other waits. If not even their culprit is known, it is the thread that waited least below the
 * same place.
 *
 * A wait is charged to the nodes in which the culprit spent more time than the victim, in the whole
 * team. If the two delayed each other in turn, these are not enough. Then the rest is charged to
 * what both did, but only if the runtime has recorded the culprit. The times are compared once for
 * each pair of culprit and victim, not for each place, because a program may have as many barriers
 * as nodes. */
#include "base/muldiv.h"
#include "base/sort.h"
#include "causes/delay_team.h"

#include <stdlib.h>

/* If a pair has at most so many causes, each wait is charged to all of them. More causes at each of
 * thousands of barriers would be too many rows to store or to read. So with more causes, the waits
 * use them up one after the other. Causes are in the order of the walk, waits in that of the
 * numbers of their nodes. */
enum { MOST_CAUSES = 32 };

struct barrier_wait { uint32_t place, node, pu, culprit; bool reported; int64_t ns; };
typedef VEC(struct barrier_wait) barrier_waits;
struct cause { uint32_t node; int64_t ns; };
struct causes { /* ns: what is left of a cause if there are many */
	VEC(struct cause) list;
	size_t turn[2];          /* the next cause to use up: of work, of waits */
};
struct pair { /* a culprit and a victim */
	/* excess: nodes in which the culprit spent more time than the victim, with the difference;
	 * common: nodes in which both spent time, with the time that both spent */
	struct causes excess, common;
	int64_t all_ns;          /* of the excess */
	/* by place in the team: the part of all_ns that the culprit waited at the barrier there */
	int64_t *waited_ns;
};
/* items of each thread, in the order of the walk */
struct units { size_t *first; const struct delay_item **item; };

static struct units items_of_units(const struct delay_team *t)
{
	struct units u = { mem_alloc(t->units + 2, sizeof *u.first),
			   mem_alloc(t->n + 1, sizeof *u.item) };
	for (size_t i = 0; i < t->n; i++)
		u.first[t->item[i].pu - t->first_pu + 2]++;
	for (uint32_t k = 2; k < t->units + 2; k++)
		u.first[k] += u.first[k - 1];
	for (size_t i = 0; i < t->n; i++) /* leaves first[k + 1] at the end of unit k */
		u.item[u.first[t->item[i].pu - t->first_pu + 1]++] = &t->item[i];
	return u;
}

/* Of the node above a wait, from the team's on. */
static uint32_t place_in_team(const struct delay_team *t, uint32_t place)
{
	return t->walk->order[place] - t->walk->order[t->item[0].team];
}

/* -- the culprit ------------------------------------------------------------------------------- */

/* The first of the members of the team that waited least. `ns` is zero again afterwards. */
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

/* Divides the wait among the culprits that the runtime recorded, and `least` for the rest. */
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

/* Of waits in the order of their places. */
static barrier_waits find_culprits(const struct delay_team *t, const struct units *u,
				   const struct barrier_wait *wait, size_t n)
{
	barrier_waits list = { 0 };
	int64_t *ns = mem_alloc(t->units, sizeof *ns);
	for (size_t first = 0, end; first < n; first = end) {
		for (end = first + 1; end < n && wait[end].place == wait[first].place;)
			end++;
		uint32_t least = least_of(t, u, &wait[first], end - first, ns);
		for (size_t i = first; i < end; i++)
			divide(t, &wait[i], least, &list);
	}
	free(ns);
	return list;
}

/* -- what it did ------------------------------------------------------------------------------- */

static void add_excess(const struct delay_team *t, struct pair *pair, uint32_t node, int64_t ns)
{
	if (ns <= 0)
		return;
	*vec_push(&pair->excess.list) = (struct cause){ node, ns };
	pair->all_ns += ns;
	if (delay_is_at_barrier(t->x, node))
		pair->waited_ns[place_in_team(t, t->x->model.node.at[node].parent)] += ns;
}

static void add_common(struct pair *pair, uint32_t node, int64_t ns)
{
	if (ns > 0)
		*vec_push(&pair->common.list) = (struct cause){ node, ns };
}

static void compare_units(const struct delay_team *t, const struct units *u, uint32_t culprit,
			  uint32_t pu, struct pair *pair)
{
	size_t other = u->first[pu - t->first_pu], end = u->first[pu - t->first_pu + 1];
	for (size_t i = u->first[culprit - t->first_pu]; i < u->first[culprit - t->first_pu + 1];
	     i++) {
		const struct delay_item *item = u->item[i];
		while (other < end && u->item[other]->order < item->order)
			other++;
		bool both = other < end && u->item[other]->order == item->order;
		int64_t others_ns = both ? u->item[other]->ns : 0;
		add_excess(t, pair, item->node, item->ns - others_ns);
		add_common(pair, item->node, item->ns < others_ns ? item->ns : others_ns);
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
			pair->waited_ns[place_in_team(t, x->model.node.at[node].parent)] = 0;
	}
	clear_causes(&pair->excess);
	clear_causes(&pair->common);
	pair->all_ns = 0;
}

/* -- a wait ------------------------------------------------------------------------------------ */

/* Waiting at the same place is no cause. */
static bool is_cause(const struct experiment *x, uint32_t node, uint32_t place)
{
	return !delay_is_at_barrier(x, node) || x->model.node.at[node].parent != place;
}

static bool is_wait(const struct experiment *x, uint32_t node)
{
	return delay_is_at_barrier(x, node) ||
		sis_overhead_in(region_leaf(region_of_node(x, node)), OSYNC);
}

static bool counts(const struct delay_team *t, const struct barrier_wait *wait,
		   const struct cause *cause, bool waits)
{
	return is_cause(t->x, cause->node, wait->place) && is_wait(t->x, cause->node) == waits;
}

static void charge(const struct delay_team *t, const struct barrier_wait *wait, uint32_t node,
		   int64_t ns)
{
	delay_charge(t->x, t->causes, wait->node, wait->pu, wait->culprit, node, ns);
}

/* Distributes at most `ns` over the culprit's work, or over its waits, in proportion to the causes.
 * Returns what was distributed. */
static int64_t charge_all(const struct delay_team *t, const struct barrier_wait *wait,
			  const struct causes *causes, bool waits, int64_t ns)
{
	const struct cause *cause = causes->list.at;
	int64_t all = 0;
	for (size_t i = 0; i < causes->list.n; i++)
		all += counts(t, wait, &cause[i], waits) ? cause[i].ns : 0;
	ns = ns < all ? ns : all;
	for (size_t i = 0; i < causes->list.n && ns > 0; i++)
		if (counts(t, wait, &cause[i], waits))
			charge(t, wait, cause[i].node, muldiv(ns, cause[i].ns, all));
	return ns > 0 ? ns : 0;
}

/* The same, by using up the next causes. */
static int64_t charge_next(const struct delay_team *t, const struct barrier_wait *wait,
			   struct causes *causes, bool waits, int64_t ns)
{
	int64_t left = ns;
	for (size_t *i = &causes->turn[waits]; *i < causes->list.n && left > 0;) {
		struct cause *cause = &causes->list.at[*i];
		int64_t part = cause->ns < left ? cause->ns : left;
		if (counts(t, wait, cause, waits)) {
			charge(t, wait, cause->node, part);
			cause->ns -= part;
			left -= part;
		}
		*i += left > 0;
	}
	return ns - left;
}

static int64_t charge_some(const struct delay_team *t, const struct barrier_wait *wait,
			   struct causes *causes, bool waits, int64_t ns)
{
	bool many = causes->list.n > MOST_CAUSES;
	return many ? charge_next(t, wait, causes, waits, ns) :
		      charge_all(t, wait, causes, waits, ns);
}

/* It is not known when the culprit waited itself: perhaps while the victim still worked. So its
 * waits explain only what its work does not explain. What exceeds both has no culprit. */
static void share(const struct delay_team *t, const struct barrier_wait *wait, struct pair *pair)
{
	int64_t all = pair->all_ns - pair->waited_ns[place_in_team(t, wait->place)];
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

/* -- the team ---------------------------------------------------------------------------------- */

static int by_place(const void *va, const void *vb)
{
	const struct barrier_wait *a = va, *b = vb;
	return ORDER(a->place, b->place) ?: ORDER(a->pu, b->pu);
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
				.place = t->x->model.node.at[t->item[i].node].parent,
				.node = t->item[i].node,
				.pu = t->item[i].pu,
				.ns = t->item[i].ns
			};
	if (wait.n) {
		struct units u = items_of_units(t);
		vec_sort(&wait, by_place);
		barrier_waits part = find_culprits(t, &u, wait.at, wait.n);
		vec_sort(&part, by_pair);
		share_all(t, &u, part.at, part.n);
		vec_free(&part);
		free(u.first);
		free(u.item);
	}
	vec_free(&wait);
}
