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
	/* by (node, PU that waited there): the first of its wait pairs, in a list of these; the
	 * next one of each pair */
	struct map list_by_place;
	VEC(uint32_t) first_pair;
	uint32_t *next_pair;
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

/* The pairs with a victim of waits in the process, by place. */
static void list_pairs(struct path *path)
{
	const struct experiment_causes *c = path->causes;
	path->next_pair = mem_alloc(c->wait_pair.n + 1, sizeof *path->next_pair);
	for (size_t i = 0; i < c->wait_pair.n; i++) {
		const struct wait_pair *pair = &c->wait_pair.at[i];
		bool fresh;
		uint32_t list = map_put(&path->list_by_place, c->delay_cost.at[pair->cost].node,
					pair->victim, (uint32_t)path->first_pair.n, &fresh);
		if (fresh)
			*vec_push(&path->first_pair) = NONE;
		path->next_pair[i] = path->first_pair.at[list];
		path->first_pair.at[list] = (uint32_t)i;
	}
}

static uint32_t first_pair(const struct path *path, uint32_t node, uint32_t pu)
{
	uint32_t list = map_get(&path->list_by_place, node, pu);
	return list == MAP_NONE ? NONE : path->first_pair.at[list];
}

/* The path goes through the unit, but not through the node that its delay is charged to, because
 * another part of the path has that time, or because the unit waited there for the victim itself.
 * So it goes through the unit's other work. Returns what there is no work for. */
static int64_t book_elsewhere(struct path *path, uint32_t pu, int64_t ns)
{
	const struct experiment *x = path->x;
	const struct process *p = &x->model.process.at[x->model.pu.at[pu].process];
	uint32_t slot = x->model.pu.at[pu].slot;
	int64_t all = 0, left = ns;
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < p->ordered && left > 0; i++) {
			uint32_t n = p->order[i], node = p->global[n];
			if (p->profile.node.at[n].slot != slot || is_thread_wait(path, node))
				continue;
			int64_t room = room_at(path, node, pu);
			if (pass == 0) {
				all += room;
				continue;
			}
			int64_t part = ns < all ? muldiv(ns, room, all) : room;
			part = part < left ? part : left;
			book(path, node, pu, part);
			left -= part;
		}
	return left;
}

/* A unit that waited; the one whose wait led to it. */
struct waiter { uint32_t node, pu; int steps; const struct waiter *before; };

static bool has_waited(const struct waiter *w, uint32_t pu)
{
	for (; w; w = w->before)
		if (w->pu == pu)
			return true;
	return false;
}

/* The unit waited at the node for other threads of its process, so the path goes through those
 * threads. Without a trace it is not known when it went through which thread. The delay costs say
 * how long each thread made this one wait at the node, so the path is distributed in proportion to
 * them. Returns the part for which no thread is found. */
static int64_t book_culprits(struct path *path, const struct waiter *w, int64_t ns)
{
	const struct wait_pair *pair = path->causes->wait_pair.at;
	uint32_t first = w->steps < STEPS_MOST ? first_pair(path, w->node, w->pu) : NONE;
	int64_t all = 0, left = ns;
	for (uint32_t i = first; i != NONE; i = path->next_pair[i])
		all += pair[i].ns;
	for (uint32_t i = first; i != NONE && all > 0; i = path->next_pair[i]) {
		const struct delay_cost *of = &path->causes->delay_cost.at[pair[i].cost];
		int64_t part = muldiv(ns, pair[i].ns, all), rest = part;
		if (has_waited(w, of->culprit) || part <= SHORTEST_NS)
			continue;
		if (is_thread_wait(path, of->culprit_node)) {
			rest = book_culprits(path, &(struct waiter){ of->culprit_node, of->culprit,
								     w->steps + 1, w }, part);
		} else {
			int64_t room = room_at(path, of->culprit_node, of->culprit);
			rest = part > room ? part - room : 0;
			book(path, of->culprit_node, of->culprit, part - rest);
		}
		left -= part - (rest > 0 ? book_elsewhere(path, of->culprit, rest) : 0);
	}
	return left;
}

static void book_wait(struct path *path, uint32_t node, uint32_t pu, int64_t ns)
{
	int64_t left = book_culprits(path, &(struct waiter){ .node = node, .pu = pu }, ns);
	path->estimated_ns += ns - left;
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
			book_wait(path, node, pu, lane->node_ns[n]);
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
	list_pairs(&path);
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
	map_free(&path.list_by_place), vec_free(&path.first_pair), free(path.next_pair);
	path_jumps_release(&path.jumps);
	intervals_release(&path.intervals);
}
