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
 * the outer team, too, because the others may have waited for it. */
#include "causes/delay_team.h"

#include <stdlib.h>

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

static void charge_team(struct delay_team *t)
{
	const struct process *p = &t->x->model.process.at[t->item[0].process];
	t->first_pu = p->first_pu;
	t->units = p->slots;
	delay_team_barriers(t);
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

static int by_team_process_and_order(const void *va, const void *vb)
{
	const struct delay_item *a = va, *b = vb;
	return a->team != b->team	 ? (a->team > b->team) - (a->team < b->team) :
		a->process != b->process ? (a->process > b->process) - (a->process < b->process) :
		a->order != b->order	 ? (a->order > b->order) - (a->order < b->order) :
					   (a->pu > b->pu) - (a->pu < b->pu);
}

typedef VEC(struct delay_item) delay_items;

/* An item for each team around the node that the unit is a member of. */
static void add_items(delay_items *list, const struct experiment *x, const struct delay_walk *walk,
		      const struct summary *s)
{
	uint32_t team = walk->team[s->node], parent;
	for (; team != NONE; team = parent == NONE ? NONE : walk->team[parent]) {
		parent = x->model.node.at[team].parent;
		if (experiment_summary(x, team, s->pu) == INDEX_NONE)
			return;
		*vec_push(list) = (struct delay_item){ .team = team,
						       .process = x->model.pu.at[s->pu].process,
						       .order = walk->order[s->node],
						       .node = s->node,
						       .pu = s->pu,
						       .ns = s->excl_ns };
	}
}

void delay_costs_of_threads(const struct experiment *x, struct experiment_causes *c,
			    const struct timelines *timelines)
{
	struct delay_walk walk = walk_nodes(x);
	delay_items item = { 0 };
	for (size_t i = 0; i < x->model.summary.n; i++)
		if (x->model.summary.at[i].excl_ns > 0 &&
		    !timelines_whole(timelines,
				     x->model.pu.at[x->model.summary.at[i].pu].process))
			add_items(&item, x, &walk, &x->model.summary.at[i]);
	if (item.n)
		qsort(item.at, item.n, sizeof *item.at, by_team_process_and_order);
	for (size_t first = 0, end; first < item.n; first = end) {
		for (end = first + 1; end < item.n && item.at[end].team == item.at[first].team &&
		     item.at[end].process == item.at[first].process;)
			end++;
		struct delay_team part = {
			.x = x, .causes = c, .walk = &walk,
			.item = &item.at[first], .n = end - first,
		};
		charge_team(&part);
	}
	vec_free(&item);
	walk_free(&walk);
}
