/* SPDX-License-Identifier: BSD-3-Clause */
/* delay_threads.c - the costs of delays among the threads of a process. One thread; owns nothing.
 *
 * At a barrier the runtime measures how long a thread waits, not for which thread. So the culprit
 * is estimated: it is the thread that waited least there, and the cause is the regions in which it
 * spent more time than the victim, in the whole team (delay_barriers.c). At a critical construct
 * the culprits are the threads that were inside, in proportion to their time there, unless the
 * runtime has recorded the culprit (delay_reported.c).
 *
 * A thread that forks an inner team is a member of both teams. Its time in the inner team counts in
 * the outer team, too, because the others may have waited for it. Several members may fork inner
 * teams at the same node of the experiment, so a team is known by its node and by the slot that
 * forked it. */
#include "causes/delay_team.h"

#include <stdlib.h>

#include "base/sort.h"

static enum sis_region_type type_of(const struct experiment *x, uint32_t node)
{
	return region_of_node(x, node)->type;
}

/* -- critical constructs ----------------------------------------------------------------------- */

/* Whether a node below the construct is executed inside of it. */
static bool is_inside(const struct experiment *x, uint32_t node, uint32_t construct)
{
	for (; node != construct; node = x->model.node.at[node].parent)
		if (type_of(x, node) == RT_CRITICAL)
			return false;
	return true;
}

/* The first item from `order` on. */
static size_t first_from(const struct delay_team *t, uint32_t order)
{
	size_t low = 0, high = t->n;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (t->item[middle].order < order)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Charges one unit's wait at the construct to the others, by their times inside. */
static void charge_critical(const struct delay_team *t, const struct delay_item *wait)
{
	uint32_t construct = t->x->model.node.at[wait->node].parent;
	int64_t all = 0, unknown = wait->ns - delay_reported_ns(t->x, wait->node, wait->pu);
	size_t begin = first_from(t, t->walk->order[construct]);
	size_t end = first_from(t, t->walk->order[construct] + t->walk->size[construct]);
	for (size_t i = begin; i < end; i++)
		all += t->item[i].pu != wait->pu && is_inside(t->x, t->item[i].node, construct) ?
			t->item[i].ns :
			0;
	int64_t explained = unknown < all ? unknown : all;
	for (size_t i = begin; i < end && all > 0; i++)
		if (t->item[i].pu != wait->pu && is_inside(t->x, t->item[i].node, construct))
			delay_charge(t->x, t->causes, wait->node, wait->pu, t->item[i].pu,
				     t->item[i].node, (__int128)explained * t->item[i].ns / all);
}

/* -- teams ------------------------------------------------------------------------------------- */

static void charge_criticals(const struct delay_team *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (type_of(t->x, t->item[i].node) == RT_CRITICAL &&
		    delay_is_of_team(t, t->item[i].node))
			charge_critical(t, &t->item[i]);
}

/* Parents come before children. */
static struct delay_walk walk_nodes(const struct experiment *x)
{
	size_t n = x->model.node.n;
	struct delay_walk w = { mem_alloc(n + 1, 4), mem_alloc(n + 1, 4), mem_alloc(n + 1, 4) };
	/* of a node: places given to what is below it */
	uint32_t *taken = mem_alloc(n + 1, 4), roots = 0;
	for (size_t i = n; i-- > 0;) {
		uint32_t parent = x->model.node.at[i].parent;
		w.size[i]++;
		if (parent != NONE)
			w.size[parent] += w.size[i];
	}
	for (uint32_t i = 0; i < n; i++) {
		enum sis_region_type type = type_of(x, i);
		uint32_t parent = x->model.node.at[i].parent,
			 *before = parent == NONE ? &roots : &taken[parent];
		w.team[i] = region_forks_team(type) ? i : parent == NONE ? NONE : w.team[parent];
		w.order[i] = (parent == NONE ? 0 : w.order[parent] + 1) + *before;
		*before += w.size[i];
	}
	free(taken);
	return w;
}

static void walk_free(struct delay_walk *w)
{
	free(w->team);
	free(w->order);
	free(w->size);
}

static int by_team_and_order(const void *va, const void *vb)
{
	const struct delay_item *a = va, *b = vb;
	return ORDER(a->team, b->team) ?: ORDER(a->process, b->process) ?:
		ORDER(a->forker, b->forker) ?: ORDER(a->order, b->order) ?: ORDER(a->pu, b->pu);
}

static bool is_same_team(const struct delay_item *a, const struct delay_item *b)
{
	return a->team == b->team && a->process == b->process && a->forker == b->forker;
}

typedef VEC(struct delay_item) delay_items;

/* An item for each team around the node that its thread is a member of. inner[n]: the innermost
 * team around a node of the process; NONE: none. */
static void add_items(delay_items *list, const struct process *p, const struct delay_walk *walk,
		      const uint32_t *inner, uint32_t n)
{
	const struct profile_node *node = p->profile.node.at;
	for (uint32_t team = inner[n]; team != NONE; team = inner[node[team].parent])
		*vec_push(list) = (struct delay_item){ .team = p->global[team],
						       .process = p->index,
						       .forker = delay_forker(p, team),
						       .order = walk->order[p->global[n]],
						       .node = p->global[n],
						       .pu = p->first_pu + node[n].slot,
						       .ns = p->excl_ns[n] };
}

static void add_process(delay_items *list, const struct experiment *x,
			const struct delay_walk *walk, const struct process *p)
{
	uint32_t *inner = mem_alloc(p->profile.node.n + 1, sizeof *inner);
	for (size_t i = 0; i < p->ordered; i++) {
		uint32_t n = p->order[i], parent = p->profile.node.at[n].parent;
		inner[n] = parent == NONE ? NONE :
			region_forks_team(type_of(x, p->global[n])) ? n : inner[parent];
		if (p->excl_ns[n] > 0)
			add_items(list, p, walk, inner, n);
	}
	free(inner);
}

/* One item for all times of a unit at one node in a team: its tree may have several such nodes. */
static void merge_items(delay_items *list)
{
	size_t n = 0;
	for (size_t i = 0; i < list->n; i++)
		if (n && !by_team_and_order(&list->at[n - 1], &list->at[i]))
			list->at[n - 1].ns += list->at[i].ns;
		else
			list->at[n++] = list->at[i];
	list->n = n;
}

static void charge_teams(const struct experiment *x, struct experiment_causes *c,
			 const struct delay_walk *walk, delay_items *item,
			 void charge(const struct delay_team *))
{
	vec_sort(item, by_team_and_order);
	merge_items(item);
	for (size_t first = 0, end; first < item->n; first = end) {
		const struct delay_item *at = &item->at[first];
		const struct process *p = &x->model.process.at[at->process];
		for (end = first + 1; end < item->n && is_same_team(at, &item->at[end]);)
			end++;
		charge(&(struct delay_team){ .x = x,
					     .causes = c,
					     .walk = walk,
					     .item = at,
					     .n = end - first,
					     .first_pu = p->first_pu,
					     .units = p->slots });
	}
}

void delay_costs_of_threads(const struct experiment *x, struct experiment_causes *c,
			    const struct timelines *timelines)
{
	struct delay_walk walk = walk_nodes(x);
	delay_items item = { 0 };
	for (uint32_t i = 0; i < x->model.process.n; i++)
		if (!timelines_whole(timelines, i))
			add_process(&item, x, &walk, &x->model.process.at[i]);
	charge_teams(x, c, &walk, &item, delay_team_barriers);
	for (size_t i = 0; i < item.n; i++)
		item.at[i].forker = 0; /* all threads of a process share a critical construct */
	charge_teams(x, c, &walk, &item, charge_criticals);
	vec_free(&item);
	walk_free(&walk);
}
