/* SPDX-License-Identifier: BSD-3-Clause */
/* delay_idle.c - computes the costs of delays that made PUs idle. Called by one thread; owns
 * nothing.
 *
 * experiment/classify/idle.c found which PU worked while another one was idle, and in which node.
 * While a team works, a PU outside of the team waits for all members of the team or, while only one
 * member is in the team's region, for this member. Each member is charged in proportion to its time
 * in the team's nodes, without the waits of members for each other.
 *
 * No node is charged with more than the time that the culprit spent in it (law.h). */
#include "experiment/causes/delay.h"

#include <stdlib.h>

#include "base/muldiv.h"
#include "base/sort.h"
#include "experiment/causes/law.h"
#include "experiment/causes/wait_pairs.h"
#include "experiment/model/regions.h"

enum { WORTH_A_CHARGE = 256 }; /* a part below 1/256 of an idle time is added to the largest part */

/* What a PU did in a node of an outermost team. */
struct work { uint32_t process, team, pu, node; int64_t ns; };
struct works {
	const struct experiment *x;
	struct experiment_causes *causes;
	uint32_t *team;          /* by node: the outermost team around it; NONE: none */
	VEC(struct work) work;
};

static int by_team(const void *va, const void *vb)
{
	const struct work *a = va, *b = vb;
	return ORDER(a->process, b->process) ?: ORDER(a->team, b->team) ?: ORDER(a->pu, b->pu) ?:
		ORDER(a->node, b->node);
}

static void charge(const struct works *w, const struct idle_cost *idle, uint32_t culprit,
		   uint32_t node, int64_t ns, bool estimated)
{
	ns = law_allowed(w->x, idle->pu, culprit, node, ns);
	if (ns <= 0)
		return;
	law_charge(w->x, w->causes, idle->pu, culprit, node, ns);
	struct delay_cost *cost = delay_cost_at(w->causes, idle->node, idle->leaf, culprit, node);
	wait_pair_add(w->causes, cost, idle->pu, ns, 0);
	cost->estimated_ns += estimated ? ns : 0;
}

static bool is_by(const struct work *work, const struct idle_cost *idle)
{
	return work->pu != idle->pu && (idle->culprit == NONE || work->pu == idle->culprit);
}

static void charge_team(const struct works *w, const struct idle_cost *idle)
{
	const struct work *at = w->work.at, key = { w->x->model.pu.at[idle->pu].process,
						    idle->node, 0, 0, 0 };
	size_t first = search_first(i, 0, w->work.n, by_team(&at[i], &key) < 0), end,
	       largest = first;
	int64_t all = 0, left = idle->ns;
	for (end = first; end < w->work.n && at[end].process == key.process &&
	     at[end].team == key.team; end++) {
		bool counts = is_by(&at[end], idle);
		all += counts ? at[end].ns : 0;
		largest = counts && (!is_by(&at[largest], idle) || at[end].ns > at[largest].ns) ?
			end : largest;
	}
	for (size_t i = first; i < end && all > 0; i++) {
		int64_t part = is_by(&at[i], idle) && i != largest ?
			muldiv(idle->ns, at[i].ns, all) : 0;
		if (part < idle->ns / WORTH_A_CHARGE)
			continue;
		charge(w, idle, at[i].pu, at[i].node, part, true);
		left -= part;
	}
	if (all > 0)
		charge(w, idle, at[largest].pu, at[largest].node, left, true);
}

void delay_costs_of_idle(const struct experiment *x, struct experiment_causes *c)
{
	const struct experiment_model *model = &x->model;
	struct works w = { .x = x, .causes = c };
	if (!x->classify.idle_cost.n)
		return;
	w.team = mem_alloc(model->node.n + 1, sizeof *w.team);
	for (uint32_t n = 0; n < model->node.n; n++) { /* parents come before children */
		uint32_t parent = model->node.at[n].parent,
			 above = parent == NONE ? NONE : w.team[parent];
		bool forks = region_forks_team(region_of_node(x, n)->type);
		w.team[n] = above != NONE ? above : forks ? n : NONE;
	}
	for (size_t i = 0; i < model->summary.n; i++) {
		const struct summary *s = &model->summary.at[i];
		if (s->excl_ns > 0 && w.team[s->node] != NONE &&
		    !sis_overhead_is(region_leaf(region_of_node(x, s->node)), IS_THREAD_WAIT))
			*vec_push(&w.work) = (struct work){ model->pu.at[s->pu].process,
							    w.team[s->node], s->pu, s->node,
							    s->excl_ns };
	}
	vec_sort(&w.work, by_team);
	for (size_t i = 0; i < x->classify.idle_cost.n; i++) {
		const struct idle_cost *idle = &x->classify.idle_cost.at[i];
		if (w.team[idle->node] == idle->node)
			charge_team(&w, idle);
		else
			charge(&w, idle, idle->culprit, idle->node, idle->ns, false);
	}
	free(w.team);
	vec_free(&w.work);
}
