/* SPDX-License-Identifier: BSD-3-Clause */
/* idle.c - books the time in which a PU was idle. Called by one thread.
 *
 * Before its process begins, a PU waits for the start. After the end of its process, the PU waits
 * for the other processes. A worker without a team is idle because of the initial thread. So the
 * worker's idle time is distributed over the nodes of the initial thread, in proportion to their
 * times. The leaf depends on what the initial thread did in the node:
 *
 *     it worked alone                           OLOSS_UNPAR
 *     it waited for other processes, started    the leaf of the initial thread's time
 *     MPI, or moved data in a call of MPI
 *     it was in a team without the worker       OLOSS_PART
 *     it was not measured                       UNMEASURED, because teams that it forked meanwhile
 *                                               are not known
 *
 * Some PUs are filled by threads that the program itself creates. For these PUs, idle_threads.c
 * knows at every moment which other PUs worked. The idle time is distributed over the nodes in
 * which these other PUs worked. The leaf is OLOSS_UNPAR if one PU worked alone, and OLOSS_PART if
 * several did.
 *
 * LIMIT: if a parallel region ran with teams of different sizes, each team is assumed to be a part
 * of the next larger one. So the initial thread is assumed to have been alone in the region for the
 * time that it spent there longer than every other member.
 * LIMIT: if a PU entered its regions several times, it is not known in which region it was while
 * another PU was idle. The idle time is then divided among the regions in proportion to their total
 * times. */
#include "base/muldiv.h"
#include "base/sort.h"
#include "experiment/classify/classify_internal.h"

#include <stdlib.h>

#include "experiment/classify/idle.h"
#include "experiment/model/regions.h"

struct share { /* a part of a PU's time, in which other PUs were idle */
	uint32_t slot;          /* slot of the PU; 0: the initial thread */
	uint32_t top;           /* of the part of the PU's tree (idle.h); NONE: not known */
	uint32_t node;          /* of the experiment */
	enum sis_overhead leaf; /* leaf for a PU that is idle meanwhile */
	int64_t ns;
	bool waits;             /* the PU itself waited, so it is not the culprit */
	bool members;           /* several members of the team at `node` worked */
};
typedef VEC(struct share) shares;

/* By node: the outermost parallel region on its path; NONE if the node is serial. Needs no
 * recursion, because parents have smaller numbers than children. */
static uint32_t *outermost_teams(const struct experiment *x)
{
	uint32_t *team = mem_alloc(x->model.node.n, sizeof *team);
	for (uint32_t n = 0; n < x->model.node.n; n++) {
		uint32_t parent = x->model.node.at[n].parent,
			 above = parent == NONE ? NONE : team[parent];
		bool forks = region_forks_team(region_of_node(x, n)->type);
		team[n] = above != NONE ? above : forks ? n : NONE;
	}
	return team;
}

/* Whether the time of idle workers is booked as `leaf`, the overhead of the initial thread, instead
 * of as loss of parallelism. A thread that sleeps counts as busy, so its sleep is not shared. */
static bool is_shared(enum sis_overhead leaf)
{
	return sis_overhead_is(leaf, IS_SHARED);
}

static void add_share(shares *list, uint32_t top, uint32_t node, enum sis_overhead leaf,
		      int64_t ns)
{
	if (ns > 0)
		*vec_push(list) = (struct share){ .top = top, .node = node,
						  .leaf = leaf, .ns = ns };
}

/* Adds the shares of a serial node of the initial thread: one for each leaf of its waits, and one
 * for the rest of its time. The leaf of the rest is the overhead of the node or, if the initial
 * thread worked alone, OLOSS_UNPAR. */
static void add_serial_node(const struct experiment *x, const struct process *process,
			    uint32_t top, uint32_t n, shares *list)
{
	uint32_t global = process->global[n];
	enum sis_overhead leaf = x->model.node.at[global].leaf;
	int64_t left = process->excl_ns[n];
	const struct waits *w = waits_of_node(x, process, n);
	for (int i = 0; w && i < WAIT_LEAVES && w->leaf[i] != O_NONE; i++) {
		int64_t ns = w->ns[i] < left ? w->ns[i] : left;
		if (!is_shared(w->leaf[i]))
			continue;
		add_share(list, top, global, w->leaf[i], ns);
		if (ns > 0)
			list->at[list->n - 1].waits = true;
		left -= ns;
	}
	add_share(list, top, global, is_shared(leaf) ? leaf : OLOSS_UNPAR, left);
}

/* -- times of members of teams ----------------------------------------------------------------- */

struct team {
	uint32_t node;
	/* the longest time in the team of a member other than the initial thread */
	int64_t shared_ns;
};
struct teams {
	VEC(struct team) team;
	struct map by_node;     /* global node -> team */
	struct map time;        /* (team, slot) -> index into ns */
	VEC(int64_t) ns;
};

static void add_member(struct teams *teams, uint32_t node, uint32_t slot, int64_t ns)
{
	bool fresh;
	uint32_t team = map_put(&teams->by_node, node, 0, teams->team.n, &fresh);
	if (fresh)
		*vec_push(&teams->team) = (struct team){ node, 0 };
	uint32_t i = map_put(&teams->time, team, slot, teams->ns.n, &fresh);
	if (fresh)
		*vec_push(&teams->ns) = 0;
	teams->ns.at[i] += ns;
	if (slot != 0 && teams->ns.at[i] > teams->team.at[team].shared_ns)
		teams->team.at[team].shared_ns = teams->ns.at[i];
}

/* Adds the times of all members of outermost teams. The initial thread enters a team at the node of
 * the parallel region, a worker at the top of its tree. */
static void find_teams(const struct process *process, const uint32_t *outermost,
		       struct teams *teams)
{
	const struct profile *p = &process->profile;
	for (size_t i = 0; i < process->ordered; i++) {
		uint32_t n = process->order[i], parent = p->node.at[n].parent;
		uint32_t team = parent == NONE ? NONE : outermost[process->global[n]];
		bool top = parent != NONE && p->node.at[parent].parent == NONE;
		bool enters = p->node.at[n].slot == 0 ? team == process->global[n] : top;
		if (team != NONE && enters)
			add_member(teams, team, p->node.at[n].slot, process->incl_ns[n]);
	}
}

static int64_t team_time(const struct teams *teams, uint32_t team, uint32_t slot)
{
	uint32_t i = map_get(&teams->time, team, slot);
	return i == MAP_NONE ? 0 : teams->ns.at[i];
}

/* Adds shares for the time that the initial thread was in a team without this slot: alone, or with
 * other members. */
static void add_teams_without(const struct teams *teams, uint32_t slot, shares *list)
{
	for (uint32_t t = 0; t < teams->team.n; t++) {
		const struct team *team = &teams->team.at[t];
		int64_t initial = team_time(teams, t, 0), own = team_time(teams, t, slot);
		int64_t shared = team->shared_ns < initial ? team->shared_ns : initial;
		add_share(list, NONE, team->node, OLOSS_UNPAR, initial - shared);
		add_share(list, NONE, team->node, OLOSS_PART, shared - own);
		if (shared > own)
			list->at[list->n - 1].members = true;
	}
}

/* -- PUs that the program's own threads fill --------------------------------------------------- */

/* Lists the work of PUs that the program's own threads fill, as shares. */
static void find_work(const struct process *process, const struct idle_threads *threads,
		      shares *list)
{
	for (size_t i = 0; i < process->ordered; i++) {
		uint32_t n = process->order[i], slot = process->profile.node.at[n].slot;
		if (threads->known[slot] && process->excl_ns[n] > 0)
			*vec_push(list) = (struct share){ .slot = slot,
							  .top = threads->top[n],
							  .node = process->global[n],
							  .leaf = OLOSS_UNPAR,
							  .ns = process->excl_ns[n] };
	}
}

static int by_slot_and_top(const void *va, const void *vb)
{
	const struct share *a = va, *b = vb;
	return ORDER(a->slot, b->slot) ?: ORDER(a->top, b->top);
}

/* The index of the first share of the PU in the part with this top, or in a later part. */
static size_t find_share(const shares *list, uint32_t slot, uint32_t top)
{
	struct share key = { .slot = slot, .top = top };
	return search_first(i, 0, list->n, by_slot_and_top(&list->at[i], &key) < 0);
}

/* Whether a share counts as work while another PU is idle. Waits for other threads do not count.
 * Overhead, such as waits for other processes, does not count if several PUs worked (`among`). */
static bool share_counts(const struct experiment *x, const struct share *s, bool among)
{
	enum sis_overhead leaf = x->model.node.at[s->node].leaf;
	return !sis_overhead_in(leaf, OSYNC_S) &&
		!(among && (!sis_overhead_in(s->leaf, OLOSS) || is_shared(leaf)));
}

/* A PU worked for `ns` while another one was idle. among: together with further PUs. */
struct beside { uint32_t slot; int64_t ns; bool among; };

/* Distributes b.ns over the shares did[from ... to - 1], in proportion. Returns false if none of
 * them counts. */
static bool distribute_concurrent(const struct experiment *x, const shares *did, size_t from,
				  size_t to, struct beside b, shares *list)
{
	int64_t all = 0;
	for (size_t i = from; i < to; i++)
		all += share_counts(x, &did->at[i], b.among) ? did->at[i].ns : 0;
	for (size_t i = from; i < to && all; i++) {
		struct share s = did->at[i];
		s.ns = share_counts(x, &s, b.among) ? muldiv(b.ns, s.ns, all) : 0;
		s.leaf = b.among ? OLOSS_PART : s.leaf;
		if (s.ns > 0)
			*vec_push(list) = s;
	}
	return all > 0;
}

/* Distributes b.ns over the PU's work in the part with this top. If the PU has no work there, b.ns
 * is distributed over all work of the PU. If the PU has no work at all, the time goes to the
 * root. */
static void add_beside(const struct experiment *x, const shares *did, uint32_t top,
		       struct beside b, uint32_t root, shares *list)
{
	if (b.ns <= 0 ||
	    distribute_concurrent(x, did, find_share(did, b.slot, top),
				  find_share(did, b.slot, top + 1), b, list) ||
	    distribute_concurrent(x, did, find_share(did, b.slot, 0),
				  find_share(did, b.slot + 1, 0), b, list))
		return;
	*vec_push(list) = (struct share){ .slot = b.slot,
					  .top = top,
					  .node = root,
					  .leaf = b.among ? OLOSS_PART : OLOSS_UNPAR,
					  .ns = b.ns };
}

/* `all` has the shares of the initial thread. Replaces them by the shares for a slot that the
 * program's own threads fill. The new shares come from the old ones and from the work of other
 * PUs. */
static void add_threads_beside(const struct experiment *x, struct idle_threads *threads,
			       const shares *work, uint32_t slot, uint32_t root, shares *all)
{
	const struct profile *p = &threads->process->profile;
	shares did = *all;
	*all = (shares){ 0 };
	for (size_t i = 0; i < work->n; i++)
		*vec_push(&did) = work->at[i];
	vec_sort(&did, by_slot_and_top);
	idle_threads_beside(threads, slot);
	for (uint32_t top = 0; top <= p->node.n; top++) {
		uint32_t other = top < p->node.n ? p->node.at[top].slot : 0;
		add_beside(x, &did, top, (struct beside){ other, threads->alone[top], false },
			   root, all);
		add_beside(x, &did, top, (struct beside){ other, threads->among[top], true },
			   root, all);
	}
	vec_free(&did);
}

/* -- booking ----------------------------------------------------------------------------------- */

/* Books idle time. If the share's leaf is a loss of parallelism, and its PU did not wait, the PU is
 * the culprit. Otherwise the idle PU waits together with the share's PU. */
static void book_idle(const struct experiment *x, struct experiment_classify *c,
		      const struct share *s, uint32_t pu, int64_t ns)
{
	uint32_t initial = x->model.process.at[x->model.pu.at[pu].process].first_pu,
		 culprit = s->members ? NONE : initial + s->slot;
	classify_book(c, s->node, pu, s->leaf, ns);
	if (ns > 0 && sis_overhead_in(s->leaf, OLOSS) && !s->waits) {
		bool fresh;
		uint32_t i = map_put(&c->idle_cost_by_key,
				     (uint64_t)s->node * SIS_OVERHEADS + s->leaf,
				     (uint64_t)pu << 32 | culprit, c->idle_cost.n, &fresh);
		if (fresh)
			*vec_push(&c->idle_cost.fill) = (struct idle_cost){
				.node = s->node,
				.pu = pu,
				.leaf = s->leaf,
				.culprit = culprit,
			};
		c->idle_cost.fill.at[i].ns += ns;
	} else if (ns > 0 && s->leaf != UNMEASURED) {
		*vec_push(&c->idle_wait.fill) = (struct booking){ s->node, pu, s->leaf, ns };
	}
}

/* Distributes `idle` nanoseconds over the shares, in proportion. Parts of less than a microsecond,
 * and the rest that rounding leaves, go to the largest share. */
static void distribute_ns(const struct experiment *x, struct experiment_classify *c, uint32_t pu,
			  int64_t idle, const shares *list, uint32_t root)
{
	int64_t total = 0, left = idle;
	size_t largest = 0;
	for (size_t i = 0; i < list->n; i++) {
		total += list->at[i].ns;
		largest = list->at[i].ns > list->at[largest].ns ? i : largest;
	}
	for (size_t i = 0; i < list->n && total; i++) {
		int64_t ns = muldiv(idle, list->at[i].ns, total);
		if (ns < 1000)
			continue;
		book_idle(x, c, &list->at[i], pu, ns);
		left -= ns;
	}
	const struct share none = { .top = NONE, .node = root, .leaf = OLOSS_UNPAR };
	book_idle(x, c, total ? &list->at[largest] : &none, pu, left);
}

/* The part of the process's life in which no thread filled the slot. */
static int64_t idle_of(const struct process *process, uint32_t slot)
{
	int64_t life = process->end_ns - process->start_ns;
	for (size_t i = 0; i < process->profile.thread.n; i++) {
		const struct profile_thread *t = &process->profile.thread.at[i];
		if (t->slot == slot && t->root != NONE &&
		    process->profile.node.at[t->root].reachable)
			return life - process->incl_ns[t->root];
	}
	return life;
}

/* Books the time before and after the process. */
static void charge_outside(const struct experiment *x, struct experiment_classify *c,
			   const struct process *process, uint32_t root, uint32_t pu)
{
	classify_book(c, root, pu, OCTRL_SPAWN, process->start_ns - x->model.start_ns);
	classify_book(c, root, pu, OSYNC_FINWAIT, x->model.end_ns - process->end_ns);
}

void charge_idle(const struct experiment *x, struct experiment_classify *c,
		 const struct process *process)
{
	const struct profile *p = &process->profile;
	uint32_t root = x->model.root, *outermost = outermost_teams(x), pu = process->first_pu;
	shares serial = { 0 }, work = { 0 }, all = { 0 };
	struct teams teams = { 0 };
	struct idle_threads threads;
	idle_threads_init(&threads, process);
	find_work(process, &threads, &work);
	for (size_t i = 0; i < process->ordered; i++) {
		uint32_t n = process->order[i];
		if (p->node.at[n].slot == 0 && outermost[process->global[n]] == NONE)
			add_serial_node(x, process, threads.top[n], n, &serial);
	}
	find_teams(process, outermost, &teams);
	charge_outside(x, c, process, root, pu);
	if (!process->ordered || p->node.at[process->order[0]].slot != 0)
		c->pu.fill.at[pu].useful_ns += process->end_ns - process->start_ns;
	for (uint32_t slot = threads.known[0] ? 0 : 1; slot < process->slots; slot++) {
		pu = process->first_pu + slot;
		if (slot != 0)
			charge_outside(x, c, process, root, pu);
		all.n = 0;
		for (size_t i = 0; i < serial.n; i++)
			*vec_push(&all) = serial.at[i];
		add_teams_without(&teams, slot, &all);
		if (threads.known[slot])
			add_threads_beside(x, &threads, &work, slot, root, &all);
		distribute_ns(x, c, pu, idle_of(process, slot), &all, root);
	}
	idle_threads_release(&threads);
	vec_free(&teams.team), vec_free(&teams.ns);
	map_free(&teams.by_node), map_free(&teams.time);
	vec_free(&work), vec_free(&serial), vec_free(&all);
	free(outermost);
}
