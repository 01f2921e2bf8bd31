/* SPDX-License-Identifier: BSD-3-Clause */
/* delay_threads.c - computes the costs of delays among the threads of a process without a trace.
 * Called by one thread; owns nothing.
 *
 * For a short wait at a barrier, the runtime records the time, but not the culprit. So
 * delay_barriers.c estimates the culprit, and the regions in which the culprit was late. Waits at a
 * critical construct are charged here, if the runtime has not recorded the culprit
 * (delay_reported.c). Their culprits are the threads that were inside the construct, in proportion
 * to their time there.
 *
 * A thread that forks an inner team is a member of both teams. The thread's time in the inner team
 * counts in the outer team, too, because other members of the outer team may have waited for the
 * thread. Several members may fork inner teams at the same node of the experiment. So a team is
 * identified by its node and by the slot that forked it. */
#include "experiment/causes/delay_team.h"

#include <stdlib.h>

#include "base/sort.h"

static enum sis_region_type type_of(const struct experiment *x, uint32_t node)
{
	return region_of_node(x, node)->type;
}

/* -- waits at critical constructs -------------------------------------------------------------- */

/* Whether a node below the critical construct is executed inside of the construct, not while the
 * thread waits to enter it. */
static bool is_inside(const struct experiment *x, uint32_t node, uint32_t construct)
{
	for (; node != construct; node = x->model.node.at[node].parent)
		if (type_of(x, node) == RT_CRITICAL)
			return false;
	return true;
}

/* The index of the first item whose order is not below `order`. */
static size_t first_from(const struct delay_team *t, uint32_t order)
{
	return search_first(i, 0, t->n, t->item[i].order < order);
}

/* Charges each unit's waits at critical constructs to the other units, in proportion to their times
 * inside the construct. */
static void charge_criticals(const struct delay_team *t)
{
	for (const struct delay_item *wait = t->item; wait < t->item + t->n; wait++) {
		if (type_of(t->x, wait->node) != RT_CRITICAL || !delay_is_of_team(t, wait->node))
			continue;
		uint32_t construct = t->x->model.node.at[wait->node].parent;
		int64_t all = 0, unknown = wait->ns - delay_reported_ns(t->x, wait->node, wait->pu);
		size_t begin = first_from(t, t->walk->order[construct]);
		size_t end = first_from(t, t->walk->order[construct] + t->walk->size[construct]);
		for (size_t i = begin; i < end; i++)
			if (t->item[i].pu != wait->pu &&
			    is_inside(t->x, t->item[i].node, construct))
				all += t->item[i].ns;
		int64_t explained = unknown < all ? unknown : all;
		for (size_t i = begin; i < end && all > 0; i++)
			if (t->item[i].pu != wait->pu &&
			    is_inside(t->x, t->item[i].node, construct))
				delay_charge(t->x, t->causes, wait->node, wait->pu, t->item[i].pu,
					     t->item[i].node,
					     (__int128)explained * t->item[i].ns / all);
	}
}

/* -- finding the teams ------------------------------------------------------------------------- */

/* Puts the nodes in depth-first order. Needs no recursion, because parents have smaller numbers
 * than children. */
static struct delay_walk walk_nodes(const struct experiment *x)
{
	size_t n = x->model.node.n;
	struct delay_walk w = { mem_alloc(n + 1, 4), mem_alloc(n + 1, 4), mem_alloc(n + 1, 4) };
	/* by node: the number of positions in the order that were given to nodes below it */
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

static int by_team_and_order(const void *va, const void *vb)
{
	const struct delay_item *a = va, *b = vb;
	return ORDER(a->team, b->team) ?: ORDER(a->process, b->process) ?:
		ORDER(a->forker, b->forker) ?: ORDER(a->order, b->order) ?: ORDER(a->pu, b->pu);
}

typedef VEC(struct delay_item) delay_items;

/* Adds an item for each time of a thread in a node, and for each team around the node. The thread
 * must be a member of the team. */
static void add_process(delay_items *list, const struct experiment *x,
			const struct delay_walk *walk, const struct process *p)
{
	const struct profile_node *node = p->profile.node.at;
	/* by node: the innermost team around it; NONE: none */
	uint32_t *inner = mem_alloc(p->profile.node.n + 1, sizeof *inner);
	for (size_t i = 0; i < p->ordered; i++) {
		uint32_t n = p->order[i], parent = node[n].parent;
		inner[n] = parent == NONE ? NONE :
			region_forks_team(type_of(x, p->global[n])) ? n : inner[parent];
		for (uint32_t team = p->excl_ns[n] > 0 ? inner[n] : NONE; team != NONE;
		     team = inner[node[team].parent])
			*vec_push(list) = (struct delay_item){ .team = p->global[team],
							       .process = p->index,
							       .forker = delay_forker(p, team),
							       .order = walk->order[p->global[n]],
							       .node = p->global[n],
							       .pu = p->first_pu + node[n].slot,
							       .ns = p->excl_ns[n] };
	}
	free(inner);
}

static void charge_teams(const struct experiment *x, struct experiment_causes *c,
			 const struct delay_walk *walk, delay_items *item,
			 void charge(const struct delay_team *))
{
	size_t n = 0;
	vec_sort(item, by_team_and_order);
	/* several nodes of a PU's tree may be one node of the experiment */
	for (size_t i = 0; i < item->n; i++)
		if (n && !by_team_and_order(&item->at[n - 1], &item->at[i]))
			item->at[n - 1].ns += item->at[i].ns;
		else
			item->at[n++] = item->at[i];
	item->n = n;
	for (size_t first = 0, end; first < item->n; first = end) {
		const struct delay_item *at = &item->at[first];
		const struct process *p = &x->model.process.at[at->process];
		for (end = first + 1; end < item->n && item->at[end].team == at->team &&
		     item->at[end].process == at->process && item->at[end].forker == at->forker;)
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
	free(walk.team);
	free(walk.order);
	free(walk.size);
}
