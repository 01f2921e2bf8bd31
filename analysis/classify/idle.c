/* SPDX-License-Identifier: BSD-3-Clause */
/* idle.c - books the time in which a PU had nothing to do. One thread.
 *
 * Before its process begins, a PU waits for the start, and after its end for the others. A worker
 * without a team is idle because of the initial thread, so its idle time is distributed over the
 * initial thread's time, node by node. Where the initial thread works alone, parallelism is lost in
 * that region (OLOSS_UNPAR). Where it waits for other processes, or starts MPI, the worker waits
 * for the same. Where it is in a team without the worker, some work (OLOSS_PART). Where it is not
 * measured, neither are its workers: a team that it forks meanwhile is not seen. While it moves
 * data in a call of MPI, its workers have this overhead, too.
 *
 * For PUs that the program's own threads fill, idle_threads.c knows at every moment which other PUs
 * worked. The idle time is distributed over what they did: where one works alone, parallelism is
 * lost (OLOSS_UNPAR), where several do, some work (OLOSS_PART).
 *
 * LIMIT: if a parallel region ran with teams of different sizes, each team is taken to be part of
 * the next larger one: the initial thread was alone there for the time that exceeds that of every
 * other member. LIMIT: where a PU was while another one was idle is estimated for regions that it
 * entered several times, by their total times. */
#include "base/muldiv.h"
#include "base/sort.h"
#include "classify/classify_internal.h"

#include <stdlib.h>

#include "classify/idle.h"
#include "model/regions.h"

struct share { /* a part of a PU's time, while others were idle */
	uint32_t slot;          /* of that PU; 0: the initial thread */
	uint32_t place;         /* of its profile: idle.h; NONE: not known */
	uint32_t node;          /* of the experiment */
	enum sis_overhead leaf; /* leaf for a PU that is idle meanwhile */
	int64_t ns;
	bool waits;             /* that PU waited, too: it is not the culprit */
	bool members;           /* members of its team worked, or did so with it */
};
typedef VEC(struct share) shares;

static bool forks_team(const struct experiment *x, uint32_t node)
{
	return region_forks_team(region_of_node(x, node)->type);
}

/* For each node the outermost parallel region on its path; NONE: it is serial. Parents come before
 * children. */
static uint32_t *outermost_teams(const struct experiment *x)
{
	uint32_t *team = mem_alloc(x->model.node.n, sizeof *team);
	for (uint32_t n = 0; n < x->model.node.n; n++) {
		uint32_t parent = x->model.node.at[n].parent,
			 above = parent == NONE ? NONE : team[parent];
		team[n] = above != NONE ? above : forks_team(x, n) ? n : NONE;
	}
	return team;
}

/* Whether idle workers share the initial thread's overhead rather than lose parallelism to it. A
 * thread that sleeps is busy for the others. */
static bool is_shared(enum sis_overhead leaf)
{
	return sis_overhead_in(leaf, OSYNC_M) || leaf_is_idle(leaf) || leaf == OCTRL_MPIMGMT ||
		sis_overhead_in(leaf, ODATA_P2P) || sis_overhead_in(leaf, ODATA_COL) ||
		leaf == UNMEASURED;
}

static void add_share(shares *list, uint32_t place, uint32_t node, enum sis_overhead leaf,
		      int64_t ns)
{
	if (ns > 0)
		*vec_push(list) = (struct share){ .place = place, .node = node,
						    .leaf = leaf, .ns = ns };
}

/* Adds a serial node of the initial thread: its waits, its management, and the rest, in which it
 * worked alone. */
static void add_serial_node(const struct experiment *x, const struct process *process,
			    uint32_t place, uint32_t n, shares *list)
{
	uint32_t global = process->global[n];
	enum sis_overhead leaf = x->model.node.at[global].leaf;
	int64_t left = process->excl_ns[n];
	const struct waits *w = waits_of_node(x, process, n);
	for (int i = 0; w && i < WAIT_LEAVES && w->leaf[i] != O_NONE; i++) {
		int64_t ns = w->ns[i] < left ? w->ns[i] : left;
		if (!is_shared(w->leaf[i]))
			continue;
		add_share(list, place, global, w->leaf[i], ns);
		if (ns > 0)
			list->at[list->n - 1].waits = true;
		left -= ns;
	}
	add_share(list, place, global, is_shared(leaf) ? leaf : OLOSS_UNPAR, left);
}

static void find_serial(const struct experiment *x, const struct process *process,
			const uint32_t *team, const uint32_t *place, shares *list)
{
	for (size_t i = 0; i < process->ordered; i++) {
		uint32_t n = process->order[i];
		if (process->profile.node.at[n].slot == 0 && team[process->global[n]] == NONE)
			add_serial_node(x, process, place[n], n, list);
	}
}

/* -- teams ------------------------------------------------------------------------------------- */

struct team {
	uint32_t node;
	/* the longest time that a member other than the initial thread was in it */
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

/* The node at which a slot enters a team: the parallel region itself, or the top of a worker's
 * tree. */
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

/* Divides the time that the initial thread was in a team without this slot: alone, or with
 * others. */
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

/* -- the program's threads --------------------------------------------------------------------- */

/* Lists the work of the PUs that threads fill. */
static void find_work(const struct process *process, const struct idle_threads *threads,
		      shares *list)
{
	for (size_t i = 0; i < process->ordered; i++) {
		uint32_t n = process->order[i], slot = process->profile.node.at[n].slot;
		if (threads->known[slot] && process->excl_ns[n] > 0)
			*vec_push(list) = (struct share){ .slot = slot,
							  .place = threads->place[n],
							  .node = process->global[n],
							  .leaf = OLOSS_UNPAR,
							  .ns = process->excl_ns[n] };
	}
}

static int by_slot_and_place(const void *va, const void *vb)
{
	const struct share *a = va, *b = vb;
	return ORDER(a->slot, b->slot) ?: ORDER(a->place, b->place);
}

/* The first share of the PU at `place` or after it. */
static size_t find_share(const shares *list, uint32_t slot, uint32_t place)
{
	struct share key = { .slot = slot, .place = place };
	return search_first(i, 0, list->n, by_slot_and_place(&list->at[i], &key) < 0);
}

/* Waits for other threads do not count as work. Where several work, neither do waits for other
 * processes. */
static bool share_counts(const struct experiment *x, const struct share *s, bool among)
{
	enum sis_overhead leaf = x->model.node.at[s->node].leaf;
	return !sis_overhead_in(leaf, OSYNC_S) &&
		!(among && (!sis_overhead_in(s->leaf, OLOSS) || is_shared(leaf)));
}

/* a PU worked for `ns` while another one was idle */
struct beside { uint32_t slot; int64_t ns; bool among; };

/* Distributes `b` over shares of the PU's work, in proportion. False: it did nothing there. */
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

/* Distributes over the PU's work at the place; without any, over all its work; without any, to the
 * root. */
static void add_beside(const struct experiment *x, const shares *did, uint32_t place,
		       struct beside b, uint32_t root, shares *list)
{
	if (b.ns <= 0 ||
	    distribute_concurrent(x, did, find_share(did, b.slot, place),
				  find_share(did, b.slot, place + 1), b, list) ||
	    distribute_concurrent(x, did, find_share(did, b.slot, 0),
				  find_share(did, b.slot + 1, 0), b, list))
		return;
	*vec_push(list) = (struct share){ .slot = b.slot,
					  .place = place,
					  .node = root,
					  .leaf = b.among ? OLOSS_PART : OLOSS_UNPAR,
					  .ns = b.ns };
}

/* Makes the shares of a PU that threads fill: the initial thread's shares, and the work of other
 * PUs. */
static void add_threads_beside(const struct experiment *x, struct idle_threads *threads,
			       const shares *work, uint32_t slot, uint32_t root, shares *all)
{
	const struct profile *p = &threads->process->profile;
	shares did = *all;
	*all = (shares){ 0 };
	for (size_t i = 0; i < work->n; i++)
		*vec_push(&did) = work->at[i];
	vec_sort(&did, by_slot_and_place);
	idle_threads_beside(threads, slot);
	for (uint32_t place = 0; place <= p->node.n; place++) {
		uint32_t other = place < p->node.n ? p->node.at[place].slot : 0;
		add_beside(x, &did, place, (struct beside){ other, threads->alone[place], false },
			   root, all);
		add_beside(x, &did, place, (struct beside){ other, threads->among[place], true },
			   root, all);
	}
	vec_free(&did);
}

/* -- booking ----------------------------------------------------------------------------------- */

static void add_idle_cost(struct experiment_classify *c, const struct share *s, uint32_t pu,
			  uint32_t culprit, int64_t ns)
{
	bool fresh;
	uint32_t i = map_put(&c->idle_cost_by_key, (uint64_t)s->node * SIS_OVERHEADS + s->leaf,
			     (uint64_t)pu << 32 | culprit, c->idle_cost.n, &fresh);
	if (fresh)
		*vec_push(&c->idle_cost.fill) = (struct idle_cost){
			.node = s->node,
			.pu = pu,
			.leaf = s->leaf,
			.culprit = culprit,
		};
	c->idle_cost.fill.at[i].ns += ns;
}

/* Books idle time. Where parallelism was lost, the PU of the share worked meanwhile; elsewhere it
 * waited, too. */
static void book_idle(const struct experiment *x, struct experiment_classify *c,
		      const struct share *s, uint32_t pu, int64_t ns)
{
	uint32_t initial = x->model.process.at[x->model.pu.at[pu].process].first_pu;
	classify_book(c, s->node, pu, s->leaf, ns);
	if (ns > 0 && sis_overhead_in(s->leaf, OLOSS) && !s->waits)
		add_idle_cost(c, s, pu, s->members ? NONE : initial + s->slot, ns);
	else if (ns > 0 && s->leaf != UNMEASURED)
		*vec_push(&c->idle_wait.fill) = (struct booking){ s->node, pu, s->leaf, ns };
}

/* Distributes `idle` nanoseconds over the shares, in proportion. Parts of less than a microsecond,
 * and rounding, go to the largest. */
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
	const struct share none = { .place = NONE, .node = root, .leaf = OLOSS_UNPAR };
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

static bool has_tree(const struct process *process, uint32_t slot)
{
	return process->ordered && process->profile.node.at[process->order[0]].slot == slot;
}

static void release_teams(struct teams *teams)
{
	vec_free(&teams->team);
	vec_free(&teams->ns);
	map_free(&teams->by_node);
	map_free(&teams->time);
}

/* The time before and after the process. */
static void charge_outside(const struct experiment *x, struct experiment_classify *c,
			   const struct process *process, uint32_t root, uint32_t pu)
{
	classify_book(c, root, pu, OCTRL_SPAWN, process->start_ns - x->model.start_ns);
	classify_book(c, root, pu, OSYNC_FINWAIT, x->model.end_ns - process->end_ns);
}

void charge_idle(const struct experiment *x, struct experiment_classify *c,
		 const struct process *process)
{
	uint32_t root = x->model.root, *outermost = outermost_teams(x), pu = process->first_pu;
	shares serial = { 0 }, work = { 0 }, all = { 0 };
	struct teams teams = { 0 };
	struct idle_threads threads;
	idle_threads_init(&threads, process);
	find_work(process, &threads, &work);
	find_serial(x, process, outermost, threads.place, &serial);
	find_teams(process, outermost, &teams);
	charge_outside(x, c, process, root, pu);
	if (!has_tree(process, 0))
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
	release_teams(&teams);
	vec_free(&work), vec_free(&serial), vec_free(&all);
	free(outermost);
}
