/* SPDX-License-Identifier: BSD-3-Clause */
/* delay_chain.c - culprits that waited themselves, in MPI or at the barrier of a team: those that
 * waited for them are an indirect cost of the thread at the end of the chain. One thread; owns
 * nothing.
 *
 *     rank 0  thread 0   |Recv ~~~~~~~~~~~~~|barrier
 *             thread 1   |barrier ~~~~~~~~~~~~~~~~~~|     charged to thread 0 in Recv: passed on
 *     rank 1             |==== compute ====|Send          gets it as an indirect cost
 *
 * It is known which part of a call or barrier was a wait, and which delays caused the waits at its
 * node. The cost is passed on to these delays in proportion: at a barrier to those of the culprit's
 * team. LIMIT: the waits of several ranks at one node of MPI are not distinguished. The delays of
 * all of them get a part. */
#include <stdlib.h>

#include "base/muldiv.h"
#include "causes/delay_team.h"
#include "model/regions.h"

enum {
	STEPS_MOST = 8,     /* length of a chain */
	SHORTEST_NS = 1000, /* a smaller amount is not passed on: this bounds the work */
};

struct passing {
	const struct experiment *x;
	struct experiment_causes *causes;
	/* delay costs by the place of the waits: (node, process); MPI: (node, NONE), because the
	 * culprits are in other processes than the waits */
	struct map list_by_place; /* place: index of first */
	VEC(uint32_t) first;
	uint32_t *next;         /* of each delay cost; NONE: no more */
	struct map wait_by_key; /* (node, PU): index of wait_ns */
	VEC(int64_t) wait_ns;   /* how long the PU waited for others at the node */
	struct map member_by_key; /* (team's node, PU): index of forker */
	VEC(uint32_t) forker;   /* the slot that forked the PU's team; NONE: several in turn */
};

static bool is_in_mpi(const struct experiment *x, uint32_t node)
{
	return node != NONE && sis_region_in(region_of_node(x, node)->type, CR_MPI);
}

static bool is_barrier(const struct experiment *x, uint32_t node)
{
	return node != NONE && delay_is_at_barrier(x, node);
}

static bool is_wait(enum sis_overhead leaf)
{
	return sis_overhead_in(leaf, OSYNC) || sis_overhead_in(leaf, OLOSS);
}

static void add_up_waits(struct passing *p, const struct experiment *x)
{
	for (size_t i = 0; i < x->classify.booking.n; i++) {
		const struct booking *b = &x->classify.booking.at[i];
		bool fresh;
		if (!is_wait(b->leaf) || !is_in_mpi(x, b->node))
			continue;
		uint32_t place = map_put(&p->wait_by_key, b->node, b->pu, p->wait_ns.n, &fresh);
		if (fresh)
			*vec_push(&p->wait_ns) = 0;
		p->wait_ns.at[place] += b->ns;
	}
}

/* -- lists of costs ---------------------------------------------------------------------------- */

static uint32_t place_of(const struct experiment *x, uint32_t node, uint32_t pu)
{
	return is_in_mpi(x, node) || pu == NONE ? NONE : x->model.pu.at[pu].process;
}

static void list_costs(struct passing *p)
{
	const struct experiment_causes *c = p->causes;
	p->next = mem_alloc(c->delay_cost.n + 1, sizeof *p->next);
	for (size_t i = c->delay_cost.n; i-- > 0;) {
		const struct delay_cost *cost = &c->delay_cost.at[i];
		bool fresh;
		uint32_t list = map_put(&p->list_by_place, cost->node,
					place_of(p->x, cost->node, cost->culprit), p->first.n,
					&fresh);
		if (fresh)
			*vec_push(&p->first) = NONE;
		p->next[i] = p->first.at[list];
		p->first.at[list] = (uint32_t)i;
	}
}

/* The first cost of waits where the PU waited at the node; NONE: there is none. */
static uint32_t first_cost(const struct passing *p, uint32_t node, uint32_t pu)
{
	uint32_t list = map_get(&p->list_by_place, node, place_of(p->x, node, pu));
	return list == MAP_NONE ? NONE : p->first.at[list];
}

/* -- teams ------------------------------------------------------------------------------------- */

static void add_members(struct passing *p, const struct process *process)
{
	for (size_t i = 0; i < process->ordered; i++) {
		uint32_t n = process->order[i], node = process->global[n], forker;
		bool fresh;
		if (!region_forks_team(region_of_node(p->x, node)->type))
			continue;
		uint32_t member = map_put(&p->member_by_key, node,
					  process->first_pu + process->profile.node.at[n].slot,
					  p->forker.n, &fresh);
		forker = delay_forker(process, n);
		if (fresh)
			*vec_push(&p->forker) = forker;
		else if (p->forker.at[member] != forker)
			p->forker.at[member] = NONE;
	}
}

/* The slot that forked the PU's team around the node; NONE: not known. */
static uint32_t forker_of(const struct passing *p, uint32_t node, uint32_t pu)
{
	while (node != NONE && !region_forks_team(region_of_node(p->x, node)->type))
		node = p->x->model.node.at[node].parent;
	uint32_t member = map_get(&p->member_by_key, node, pu);
	return member == MAP_NONE ? NONE : p->forker.at[member];
}

static void passing_init(struct passing *p, const struct experiment *x,
			 struct experiment_causes *c)
{
	*p = (struct passing){ .x = x, .causes = c };
	list_costs(p);
	add_up_waits(p, x);
	for (size_t i = 0; i < x->model.process.n; i++)
		if (x->model.process.at[i].slots > 1)
			add_members(p, &x->model.process.at[i]);
}

static void passing_release(struct passing *p)
{
	map_free(&p->member_by_key), vec_free(&p->forker);
	map_free(&p->list_by_place), vec_free(&p->first), free(p->next);
	map_free(&p->wait_by_key), vec_free(&p->wait_ns);
}

/* The part of `ns` that the processing unit waited, where it spent `ns` at the node. */
static int64_t waited_of(const struct passing *p, uint32_t node, uint32_t pu, int64_t ns)
{
	uint32_t place = map_get(&p->wait_by_key, node, pu);
	uint32_t summary = experiment_summary(p->x, node, pu);
	int64_t spent = summary == INDEX_NONE ? 0 : p->x->model.summary.at[summary].excl_ns;
	if (place == MAP_NONE || spent <= 0)
		return 0;
	int64_t wait = p->wait_ns.at[place];
	return wait < spent ? muldiv(ns, wait, spent) : ns;
}

/* -- the culprit's waits ----------------------------------------------------------------------- */

/* Whether the cost, of the place where the PU waited, may be one of its waits there. */
static bool is_of(const struct passing *p, const struct delay_cost *cost, uint32_t pu)
{
	if (!is_barrier(p->x, cost->node))
		return true;
	uint32_t forker = forker_of(p, cost->node, pu),
		 other = forker_of(p, cost->node, cost->culprit);
	return forker == other || forker == NONE || other == NONE;
}

/* The costs of the PU's waits at the node. */
static int64_t costs_of(const struct passing *p, uint32_t node, uint32_t pu)
{
	int64_t all = 0;
	for (uint32_t i = first_cost(p, node, pu); i != NONE; i = p->next[i])
		if (is_of(p, &p->causes->delay_cost.at[i], pu))
			all += p->causes->delay_cost.at[i].ns;
	return all;
}

/* -- passing on -------------------------------------------------------------------------------- */

/* Charges `ns` to the delays that caused the waits of the PU at the node. */
static void pass_on(const struct passing *p, uint32_t node, uint32_t pu, int64_t ns, int steps)
{
	int64_t all = costs_of(p, node, pu);
	for (uint32_t i = first_cost(p, node, pu); i != NONE && all > 0; i = p->next[i]) {
		struct delay_cost *cost = &p->causes->delay_cost.at[i];
		if (!is_of(p, cost, pu))
			continue;
		int64_t part = muldiv(ns, cost->ns, all), own = part;
		if (cost->passed_ns && cost->culprit_node != NONE && steps < STEPS_MOST &&
		    part >= SHORTEST_NS && costs_of(p, cost->culprit_node, cost->culprit) > 0)
			own = muldiv(part, cost->ns - cost->passed_ns, cost->ns);
		cost->indirect_ns += own;
		if (own < part)
			pass_on(p, cost->culprit_node, cost->culprit, part - own, steps + 1);
	}
}

/* The part of the cost that is due to the culprit's own wait. Where one process waited in MPI for
 * another one that waited in MPI, delay.c has passed it on already. */
static int64_t wait_in(const struct passing *p, const struct delay_cost *cost)
{
	if (cost->culprit == NONE)
		return 0;
	if (is_barrier(p->x, cost->culprit_node))
		return cost->ns - cost->no_processor_ns;
	if (!is_in_mpi(p->x, cost->culprit_node) || is_in_mpi(p->x, cost->node))
		return 0;
	return waited_of(p, cost->culprit_node, cost->culprit, cost->ns);
}

/* delay.c knows the single waits of a culprit with a trace, and has passed them on. */
static bool is_traced(const struct experiment *x, const struct timelines *timelines,
		      const struct delay_cost *cost)
{
	return cost->culprit != NONE &&
		timelines_whole(timelines, x->model.pu.at[cost->culprit].process);
}

/* What is passed on of each cost. */
static int64_t *list_passed(const struct passing *p, const struct timelines *timelines)
{
	const struct experiment_causes *c = p->causes;
	int64_t *ns = mem_alloc(c->delay_cost.n + 1, sizeof *ns);
	for (size_t i = 0; i < c->delay_cost.n; i++) {
		struct delay_cost *cost = &c->delay_cost.at[i];
		int64_t waited = is_traced(p->x, timelines, cost) ? 0 : wait_in(p, cost);
		if (waited <= 0 || costs_of(p, cost->culprit_node, cost->culprit) <= 0)
			continue;
		ns[i] = cost->passed_ns = waited;
	}
	return ns;
}

void delay_costs_chain(const struct experiment *x, struct experiment_causes *c,
		       const struct timelines *timelines)
{
	struct passing p;
	passing_init(&p, x, c);
	int64_t *passed = list_passed(&p, timelines);
	for (size_t i = 0; i < c->delay_cost.n; i++)
		if (passed[i] > 0)
			pass_on(&p, c->delay_cost.at[i].culprit_node, c->delay_cost.at[i].culprit,
				passed[i], 1);
	free(passed);
	passing_release(&p);
}
