/* SPDX-License-Identifier: BSD-3-Clause */
/* critical_path.c - the critical path: the chain of work and transfers that determines the length
 * of the run. One thread; owns nothing.
 *
 *     rank 0   ====work====  Send
 *                             \\
 *     rank 1   ==work==  Recv~~~ ====work===
 *
 * The path is followed back from the last end. Here it has rank 1's work after the receive, back to
 * its wait; then the work of rank 0, for which rank 1 waited; and so on to the beginning.
 *
 * Where there is a trace, the path goes through threads, too (path_jumps.c). Without a trace it
 * stays with the initial thread. The time that the initial thread waited for other threads is
 * distributed over these threads.
 *
 * interval.c says which regions a thread was in during a part of the path. Where this is not known,
 * it is estimated: the time is distributed like the process's whole time outside of MPI. */
#include "causes/critical_path.h"

#include <stdlib.h>

#include "base/muldiv.h"
#include "causes/costs_by_node.h"
#include "causes/interval.h"
#include "causes/path_jumps.h"
#include "model/regions.h"

enum {
	STEPS_MOST = 8,     /* threads that waited for each other in a chain */
	SHORTEST_NS = 1000, /* a smaller part is not followed: this bounds the work */
};

struct lane { /* a process on the path */
	int64_t *node_ns;      /* on the path, by node of the profile */
	int64_t somewhere_ns;  /* on the path, outside of MPI */
	int64_t unknown_ns;    /* before it began, or in no node */
};
struct path {
	const struct experiment *x;
	struct experiment_causes *causes;
	const struct timelines *timelines;
	struct intervals intervals;
	struct lane *lane;     /* of each process */
	int64_t estimated_ns;  /* on the path, of the process that is booked now */
	struct path_jumps jumps;
	struct costs_by_node costs;
	struct map by_place;   /* (node, PU): place in causes.critical */
};

static void add(struct path *path, uint32_t process, uint32_t node, int64_t ns)
{
	*(node == NONE ? &path->lane[process].unknown_ns :
		&path->lane[process].node_ns[node]) += ns;
}

static void take_interval(void *arg, uint32_t node, int64_t ns, bool exact)
{
	struct lane *lane = arg;
	(void)exact;
	*(node == OUTSIDE_MPI ? &lane->somewhere_ns : &lane->node_ns[node]) += ns;
}

static void add_interval(struct path *path, uint32_t unit, int64_t from, int64_t to)
{
	const struct pu *pu = &path->x->model.pu.at[unit];
	interval_for_each(&path->intervals, pu->process, pu->slot, from, to, take_interval,
			  &path->lane[pu->process]);
}

/* -- time that is in no region ----------------------------------------------------------------- */

/* Time of the initial thread in a node outside of MPI that is not on the path yet. */
static int64_t room_outside(const struct path *path, uint32_t process, uint32_t node)
{
	const struct process *p = &path->x->model.process.at[process];
	int64_t ns = p->excl_ns[node] - path->lane[process].node_ns[node];
	bool outside = p->profile.node.at[node].slot == 0 &&
		!sis_region_in(region_of_node(path->x, p->global[node])->type, CR_MPI);
	return outside && ns > 0 ? ns : 0;
}

/* Distributes the time somewhere outside of MPI over all regions that the initial thread ran
 * outside of MPI, in proportion to what is left of them, and at most that. */
static void charge_unlocated(struct path *path, uint32_t process)
{
	const struct process *p = &path->x->model.process.at[process];
	struct lane *lane = &path->lane[process];
	int64_t whole = 0, ns = lane->somewhere_ns, left = ns;
	for (size_t i = 0; i < p->ordered; i++)
		whole += room_outside(path, process, p->order[i]);
	for (size_t i = 0; i < p->ordered && whole; i++) {
		int64_t room = room_outside(path, process, p->order[i]),
			part = ns < whole ? muldiv(ns, room, whole) : room;
		add(path, process, p->order[i], part);
		left -= part;
	}
	lane->unknown_ns += left;
	if (ns < whole - whole / 100) /* the whole of it is no estimate */
		path->estimated_ns += ns;
}

/* -- booking ----------------------------------------------------------------------------------- */

static void book(struct path *path, uint32_t node, uint32_t pu, int64_t ns)
{
	struct experiment_causes *c = path->causes;
	bool fresh;
	if (ns <= 0)
		return;
	uint32_t i = map_put(&path->by_place, node, pu, c->critical.n, &fresh);
	if (fresh)
		*vec_push(&c->critical) = (struct booking){ node, pu, O_NONE, 0 };
	c->critical.at[i].ns += ns;
}

static bool is_thread_wait(const struct path *path, uint32_t node)
{
	enum sis_overhead leaf = region_leaf(region_of_node(path->x, node));
	return sis_overhead_in(leaf, OSYNC_S) || leaf_is_idle(leaf);
}

/* Time that the unit spent at the node and that is not on the path yet. */
static int64_t room_at(const struct path *path, uint32_t node, uint32_t pu)
{
	const struct experiment *x = path->x;
	uint32_t s = experiment_summary(x, node, pu), i = map_get(&path->by_place, node, pu);
	int64_t spent = s == INDEX_NONE ? 0 : x->model.summary.at[s].excl_ns,
		booked = i == MAP_NONE ? 0 : x->causes.critical.at[i].ns;
	return spent > booked ? spent - booked : 0;
}

/* The unit waited at the node for other threads of its process, so the path goes through those
 * threads. Without a trace it is not known when it went through which thread. The delay costs say
 * how long each thread made others wait at the node, so the path is distributed in proportion to
 * them. */
static void book_culprits(struct path *path, uint32_t node, uint32_t pu, int64_t ns, int steps)
{
	const struct delay_cost *cost = path->x->causes.delay_cost.at;
	const struct costs_by_node *c = &path->costs;
	int64_t all = 0, left = ns;
	for (uint32_t i = c->first[node]; i != NONE && steps < STEPS_MOST; i = c->next[i])
		all += cost[i].culprit != pu && cost[i].culprit != NONE ? cost[i].ns : 0;
	for (uint32_t i = c->first[node]; i != NONE && all > 0; i = c->next[i]) {
		bool other = cost[i].culprit != pu && cost[i].culprit != NONE;
		int64_t part = other ? muldiv(ns, cost[i].ns, all) : 0;
		if (part > SHORTEST_NS && is_thread_wait(path, cost[i].culprit_node)) {
			book_culprits(path, cost[i].culprit_node, cost[i].culprit, part, steps + 1);
		} else if (part > 0) {
			int64_t room = room_at(path, cost[i].culprit_node, cost[i].culprit);
			part = part < room ? part : room;
			book(path, cost[i].culprit_node, cost[i].culprit, part);
		}
		left -= part;
	}
	path->estimated_ns += steps == 0 ? ns - left : 0;
	book(path, node, pu, left);
}

static void book_process(struct path *path, uint32_t process)
{
	const struct process *p = &path->x->model.process.at[process];
	const struct lane *lane = &path->lane[process];
	bool traced = timelines_whole(path->timelines, process);
	int64_t unknown_ns = lane->unknown_ns, all = unknown_ns;
	for (uint32_t n = 0; n < p->profile.node.n; n++) {
		uint32_t node = p->global[n], pu = p->first_pu + p->profile.node.at[n].slot;
		all += lane->node_ns[n];
		if (node == NONE)
			unknown_ns += lane->node_ns[n];
		else if (!traced && lane->node_ns[n] > 0 && is_thread_wait(path, node))
			book_culprits(path, node, pu, lane->node_ns[n], 0);
		else
			book(path, node, pu, lane->node_ns[n]);
	}
	book(path, path->x->model.root, p->first_pu, unknown_ns);
	/* the same time may be estimated twice: its region, and the culprit of a wait in that
	 * region */
	path->causes->critical_estimated_ns += path->estimated_ns < all ? path->estimated_ns : all;
}

/* -- the way back ------------------------------------------------------------------------------ */

/* The unit of the process that worked last: the initial thread, or if that ended before, the thread
 * that ended last, where the trace says so. */
static uint32_t last_unit(const struct path *path, uint32_t process)
{
	const struct process *p = &path->x->model.process.at[process];
	const struct profile_life *initial = NULL, *last = NULL;
	for (size_t i = 0; i < p->profile.life.n; i++) {
		const struct profile_life *life = &p->profile.life.at[i];
		if (life->blocked || life->slot >= p->slots)
			continue;
		initial = life->slot == 0 ? life : initial;
		last = !last || life->exit > last->exit ? life : last;
	}
	bool known = initial && timelines_whole(path->timelines, process);
	return p->first_pu + (known ? last->slot : 0);
}

static void walk(struct path *path)
{
	const struct experiment *x = path->x;
	uint32_t process = 0;
	for (uint32_t i = 0; i < x->model.process.n; i++)
		process = x->model.process.at[i].end_ns > x->model.process.at[process].end_ns ?
			i :
			process;
	int64_t time = x->model.process.at[process].end_ns;
	uint32_t unit = last_unit(path, process);
	for (const struct path_jump *j; (j = path_jumps_before(&path->jumps, unit, time));) {
		add_interval(path, unit, j->time, time);
		time = j->time;
		unit = j->other;
	}
	process = x->model.pu.at[unit].process;
	int64_t start = x->model.process.at[process].start_ns;
	start = start < time ? start : time;
	add_interval(path, unit, start, time);
	add(path, process, NONE, start - x->model.start_ns);
}

void critical_path(const struct experiment *x, struct experiment_causes *c,
		   const struct thread_waits *threads)
{
	size_t processes = x->model.process.n;
	struct path path = { .x = x, .causes = c, .timelines = threads->timelines,
			     .lane = mem_alloc(processes + 1, sizeof *path.lane) };
	intervals_init(&path.intervals, x, threads->timelines);
	path_jumps_init(&path.jumps, x, threads);
	costs_by_node_init(&path.costs, x);
	for (uint32_t i = 0; i < processes; i++)
		path.lane[i].node_ns = mem_alloc(x->model.process.at[i].profile.node.n + 1,
						 sizeof(int64_t));
	walk(&path);
	for (uint32_t i = 0; i < processes; i++) {
		path.estimated_ns = 0;
		charge_unlocated(&path, i);
		book_process(&path, i);
		free(path.lane[i].node_ns);
	}
	free(path.lane);
	map_free(&path.by_place);
	costs_by_node_release(&path.costs);
	path_jumps_release(&path.jumps);
	intervals_release(&path.intervals);
}
