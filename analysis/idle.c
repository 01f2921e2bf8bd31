/* idle.c - books what a PU did while it had nothing to do. One thread.
 *
 * Before its process begins it waits for the start, after its end for the others. A worker without a
 * team is idle because of what the initial thread does meanwhile, so its idle time is laid over the
 * initial thread's time, node by node: where that one works alone, parallelism is lost
 * (OLOSS_UNPAR) in the region that it works in; where it waits for other processes, or starts MPI, the
 * worker waits for the same; where it is in a team that the worker is not in, some work (OLOSS_PART).
 *
 * LIMIT: of a parallel region that ran with teams of different size, each is taken to be part of the next larger one: the initial
 * thread was alone there for as long as it was there longer than any other. Threads made by pthread_create are laid over the
 * whole serial time, not over the very moments. */
#include "classify.h"

#include <stdlib.h>

#include "delay.h"
#include "model.h"
#include "regions.h"

struct share { /* a part of the initial thread's time that others were idle in */
	uint32_t node;          /* of the experiment */
	enum sis_overhead leaf; /* what it is for a PU idle meanwhile */
	int64_t ns;
};
typedef VEC(struct share) shares;

static bool forks_team(const struct experiment *x, uint32_t node)
{
	enum sis_region_type type = x->region.at[x->node.at[node].region].type;
	return type == CR_OMPPA || type == CR_OMPPAFOR || type == CR_OMPPASEC || type == RT_PARALLEL;
}

/* For each node the outermost parallel region on its path; NONE: it is serial. Parents come before children. */
static uint32_t *outermost_teams(const struct experiment *x)
{
	uint32_t *team = mem_alloc(x->node.n, sizeof *team);
	for (uint32_t n = 0; n < x->node.n; n++) {
		uint32_t parent = x->node.at[n].parent, above = parent == NONE ? NONE : team[parent];
		team[n] = above != NONE ? above : forks_team(x, n) ? n : NONE;
	}
	return team;
}

/* Whether idle workers share the initial thread's overhead rather than lose parallelism to it. */
static bool is_shared(enum sis_overhead leaf)
{
	return sis_overhead_in(leaf, OSYNC_M) || sis_overhead_in(leaf, OLOSS) || leaf == OCTRL_MPIMGMT;
}

static void add_share(shares *list, uint32_t node, enum sis_overhead leaf, int64_t ns)
{
	if (ns > 0)
		*vec_push(list) = (struct share){ node, leaf, ns };
}

/* A serial node of the initial thread: what it waited, what it managed, and the rest, in which it worked alone. */
static void add_serial_node(const struct experiment *x, const struct process *process, uint32_t n, shares *list)
{
	uint32_t global = process->global[n];
	enum sis_overhead leaf = region_leaf(&x->region.at[x->node.at[global].region]);
	int64_t left = process->excl_ns[n];
	for (int i = 0; process->waits && i < WAIT_LEAVES && process->waits[n].leaf[i] != O_NONE; i++) {
		int64_t ns = process->waits[n].ns[i] < left ? process->waits[n].ns[i] : left;
		if (!is_shared(process->waits[n].leaf[i]))
			continue;
		add_share(list, global, process->waits[n].leaf[i], ns);
		left -= ns;
	}
	add_share(list, global, is_shared(leaf) ? leaf : OLOSS_UNPAR, left);
}

static void find_serial(const struct experiment *x, const struct process *process, const uint32_t *team, shares *list)
{
	for (size_t i = 0; i < process->ordered; i++) {
		uint32_t n = process->order[i];
		if (process->profile.node.at[n].slot == 0 && team[process->global[n]] == NONE)
			add_serial_node(x, process, n, list);
	}
}

/* -- teams --------------------------------------------------------------------------------------------- */

struct team { uint32_t node; int64_t shared_ns; /* how long, at most, another member than the initial thread was in it */ };
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

/* Where a slot's time enters a team: at the parallel region itself, or at the top of a worker's tree. */
static void find_teams(const struct process *process, const uint32_t *outermost, struct teams *teams)
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

/* Of the time that the initial thread was in a team without this slot: what it was alone there, and what others were, too. */
static void add_teams_without(const struct teams *teams, uint32_t slot, shares *list)
{
	for (uint32_t t = 0; t < teams->team.n; t++) {
		const struct team *team = &teams->team.at[t];
		int64_t initial = team_time(teams, t, 0), own = team_time(teams, t, slot);
		int64_t shared = team->shared_ns < initial ? team->shared_ns : initial;
		add_share(list, team->node, OLOSS_UNPAR, initial - shared);
		add_share(list, team->node, OLOSS_PART, shared - own);
	}
}

/* -- booking ------------------------------------------------------------------------------------------- */

/* Books idle time; where parallelism was lost, the initial thread worked there meanwhile, else it waited there, too. */
static void book_idle(struct experiment *x, uint32_t node, uint32_t pu, enum sis_overhead leaf, int64_t ns)
{
	uint32_t initial = x->process.at[x->pu.at[pu].process].first_pu;
	experiment_book(x, node, pu, leaf, ns);
	if (ns > 0 && sis_overhead_in(leaf, OLOSS))
		delay_cost_at(x, node, leaf, initial, node)->ns += ns;
	else if (ns > 0)
		*vec_push(&x->idle_wait) = (struct booking){ node, pu, leaf, ns };
}

/* Lays `idle` nanoseconds over the shares, in proportion; what is less than a microsecond, and rounding, goes to the largest. */
static void lay_over(struct experiment *x, uint32_t pu, int64_t idle, const shares *list, uint32_t root)
{
	int64_t total = 0, left = idle;
	size_t largest = 0;
	for (size_t i = 0; i < list->n; i++) {
		total += list->at[i].ns;
		largest = list->at[i].ns > list->at[largest].ns ? i : largest;
	}
	for (size_t i = 0; i < list->n && total; i++) {
		int64_t ns = (__int128)idle * list->at[i].ns / total;
		if (ns < 1000)
			continue;
		book_idle(x, list->at[i].node, pu, list->at[i].leaf, ns);
		left -= ns;
	}
	book_idle(x, total ? list->at[largest].node : root, pu, total ? list->at[largest].leaf : OLOSS_UNPAR, left);
}

/* What of the process's life no thread filled the slot. */
static int64_t idle_of(const struct process *process, uint32_t slot)
{
	int64_t life = process->end_ns - process->start_ns;
	for (size_t i = 0; i < process->profile.thread.n; i++) {
		const struct profile_thread *t = &process->profile.thread.at[i];
		if (t->slot == slot && t->root != NONE && process->profile.node.at[t->root].reachable)
			return life - process->incl_ns[t->root];
	}
	return life;
}

static bool has_tree(const struct process *process, uint32_t slot)
{
	return process->ordered && process->profile.node.at[process->order[0]].slot == slot;
}

void classify_idle(struct experiment *x, struct process *process)
{
	uint32_t root = model_root(x), *outermost = outermost_teams(x);
	shares serial = { 0 }, all = { 0 };
	struct teams teams = { 0 };
	find_serial(x, process, outermost, &serial);
	find_teams(process, outermost, &teams);
	for (uint32_t slot = 0; slot < process->slots; slot++) {
		uint32_t pu = process->first_pu + slot;
		experiment_book(x, root, pu, OCTRL_SPAWN, process->start_ns - x->start_ns);
		experiment_book(x, root, pu, OSYNC_FINWAIT, x->end_ns - process->end_ns);
		if (slot == 0 && !has_tree(process, 0))
			x->pu.at[pu].useful_ns += process->end_ns - process->start_ns;
		if (slot == 0)
			continue;
		all.n = 0;
		for (size_t i = 0; i < serial.n; i++)
			*vec_push(&all) = serial.at[i];
		add_teams_without(&teams, slot, &all);
		lay_over(x, pu, idle_of(process, slot), &all, root);
	}
	free(outermost);
	vec_free(&serial);
	vec_free(&all);
	vec_free(&teams.team);
	vec_free(&teams.ns);
	map_free(&teams.by_node);
	map_free(&teams.time);
}
