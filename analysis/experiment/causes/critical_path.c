/* SPDX-License-Identifier: BSD-3-Clause */
/* critical_path.c - finds the critical path: the chain of work and transfers that determines the
 * length of the run. Called by one thread; owns nothing.
 *
 *     rank 0   ====work====  Send
 *                             \\
 *     rank 1   ==work==  Recv~~~ ====work===
 *
 * The path is followed backwards from the end of the process that ended last. In the example, it
 * goes through rank 1's work after the receive, back to rank 1's wait. It continues in the work of
 * rank 0, for which rank 1 waited, and so on to the begin of the run.
 *
 * In a process with a trace, the path goes from thread to thread, too (path_jumps.c). In a process
 * without a trace, the path leaves the initial thread only where this waited for the end of another
 * thread. The initial thread's other waits for threads are distributed over their culprits.
 *
 * interval.c says which regions a thread was in during a part of the path. If the regions are not
 * known, the time is distributed like the process's whole time outside of MPI, as an estimate. */
#include "experiment/causes/critical_path.h"

#include <stdlib.h>

#include "base/muldiv.h"
#include "experiment/causes/interval.h"
#include "experiment/causes/path_jumps.h"
#include "experiment/causes/wait_pairs.h"
#include "experiment/model/regions.h"

enum {
	STEPS_MOST = 8,     /* longest chain of threads, each of which waited for the next */
	SHORTEST_NS = 1000, /* a smaller part is not followed, to bound the work */
};

struct lane { /* a process on the path */
	int64_t *node_ns;      /* time on the path, by node of the profile */
	int64_t *somewhere_ns; /* time on the path in unknown nodes outside of MPI, by slot */
	int64_t unknown_ns;    /* time before the process began, or in no node */
};
struct path {
	const struct experiment *x;
	struct experiment_causes *causes;
	const struct timelines *timelines;
	struct intervals intervals;
	struct lane *lane;     /* of each process */
	int64_t estimated_ns;  /* estimated time on the path of the process that is being booked */
	struct path_jumps jumps;
	struct pairs_by_node pairs;
	struct map by_node_and_pu; /* (node, PU): index in causes.critical */
};

static void add_ns(struct path *path, uint32_t process, uint32_t node, int64_t ns)
{
	*(node == NONE ? &path->lane[process].unknown_ns :
		&path->lane[process].node_ns[node]) += ns;
}

struct stay { struct lane *lane; uint32_t slot; }; /* a part of the path, in one PU */

static void take_interval(void *arg, uint32_t node, int64_t ns, bool exact)
{
	const struct stay *stay = arg;
	struct lane *lane = stay->lane;
	(void)exact;
	*(node == OUTSIDE_MPI ? &lane->somewhere_ns[stay->slot] : &lane->node_ns[node]) += ns;
}

static void add_interval(struct path *path, uint32_t unit, int64_t from, int64_t to)
{
	const struct pu *pu = &path->x->model.pu.at[unit];
	struct stay stay = { &path->lane[pu->process], pu->slot };
	interval_for_each(&path->intervals, pu->process, pu->slot, from, to, take_interval,
			  &stay);
}

/* -- time whose region is not known ------------------------------------------------------------ */

/* The time of the slot in the node that is not on the path yet; 0 if the node is in MPI, or of
 * another slot. */
static int64_t room_outside(const struct path *path, uint32_t process, uint32_t slot, uint32_t node)
{
	const struct process *p = &path->x->model.process.at[process];
	int64_t ns = p->excl_ns[node] - path->lane[process].node_ns[node];
	bool outside = p->profile.node.at[node].slot == slot &&
		!sis_region_in(region_of_node(path->x, p->global[node])->type, CR_MPI);
	return outside && ns > 0 ? ns : 0;
}

/* Distributes somewhere_ns of the slot over all nodes that the slot ran outside of MPI. A node gets
 * time in proportion to its time that is not on the path yet, and at most this time. */
static void charge_unlocated(struct path *path, uint32_t process, uint32_t slot)
{
	const struct process *p = &path->x->model.process.at[process];
	struct lane *lane = &path->lane[process];
	int64_t whole = 0, ns = lane->somewhere_ns[slot], left = ns;
	for (size_t i = 0; i < p->ordered && ns; i++)
		whole += room_outside(path, process, slot, p->order[i]);
	for (size_t i = 0; i < p->ordered && whole; i++) {
		int64_t room = room_outside(path, process, slot, p->order[i]),
			part = ns < whole ? muldiv(ns, room, whole) : room;
		add_ns(path, process, p->order[i], part);
		left -= part;
	}
	lane->unknown_ns += left;
	if (ns < whole - whole / 100) /* else all time of the nodes is on the path: no estimate */
		path->estimated_ns += ns;
}

/* -- booking time on the path ------------------------------------------------------------------ */

static void book(struct path *path, uint32_t node, uint32_t pu, int64_t ns)
{
	struct experiment_causes *c = path->causes;
	bool fresh;
	if (ns <= 0)
		return;
	uint32_t i = map_put(&path->by_node_and_pu, node, pu, c->critical.n, &fresh);
	if (fresh)
		*vec_push(&c->critical) = (struct booking){ node, pu, O_NONE, 0 };
	c->critical.at[i].ns += ns;
}

static bool is_thread_wait(const struct path *path, uint32_t node)
{
	return sis_overhead_is(region_leaf(region_of_node(path->x, node)), IS_THREAD_WAIT);
}

/* The time that the unit spent at the node and that is not on the path yet. */
static int64_t room_at(const struct path *path, uint32_t node, uint32_t pu)
{
	const struct experiment *x = path->x;
	uint32_t s = experiment_summary(x, node, pu), i = map_get(&path->by_node_and_pu, node, pu);
	int64_t spent = s == INDEX_NONE ? 0 : x->model.summary.at[s].excl_ns,
		booked = i == MAP_NONE ? 0 : x->causes.critical.at[i].ns;
	return spent > booked ? spent - booked : 0;
}

/* Books `ns` of the path in the unit's work, in proportion to the work that is not on the path yet.
 * Some time cannot be booked in the node to which the unit's delay is charged: another part of the
 * path has the time of that node, or the unit waited there for the victim. Such time is booked
 * here. Returns the part of `ns` that exceeds this work. */
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

/* A unit that waited at a node. before: the waiter whose culprit is this unit. */
struct waiter { uint32_t node, pu; int steps; const struct waiter *before; };

static bool has_waited(const struct waiter *w, uint32_t pu)
{
	for (; w; w = w->before)
		if (w->pu == pu)
			return true;
	return false;
}

/* The unit waited at the node for other threads of its process, so the path goes through those
 * threads. Without a trace it is not known when the path went through which thread. The delay costs
 * say how long each thread made the unit wait at the node. So `ns` is distributed over these
 * threads in proportion to the costs. Returns the part of `ns` for which no thread is found. */
static int64_t book_culprits(struct path *path, const struct waiter *w, int64_t ns)
{
	const struct wait_pair *pair = path->causes->wait_pair.at;
	uint32_t first = w->steps < STEPS_MOST ? pairs_at(&path->pairs, w->node, w->pu) : NONE;
	int64_t all = 0, left = ns;
	for (uint32_t i = first; i != NONE; i = path->pairs.next[i])
		all += pair[i].ns;
	for (uint32_t i = first; i != NONE && all > 0; i = path->pairs.next[i]) {
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

static void book_process(struct path *path, uint32_t process)
{
	const struct process *p = &path->x->model.process.at[process];
	const struct lane *lane = &path->lane[process];
	bool traced = timelines_whole(path->timelines, process);
	int64_t unknown_ns = lane->unknown_ns, all = unknown_ns;
	for (uint32_t n = 0; n < p->profile.node.n; n++) {
		uint32_t node = p->global[n], pu = p->first_pu + p->profile.node.at[n].slot;
		all += lane->node_ns[n];
		if (node == NONE) {
			unknown_ns += lane->node_ns[n];
		} else if (!traced && lane->node_ns[n] > 0 && is_thread_wait(path, node)) {
			const struct waiter waiter = { .node = node, .pu = pu };
			int64_t left = book_culprits(path, &waiter, lane->node_ns[n]);
			path->estimated_ns += lane->node_ns[n] - left;
			book(path, node, pu, left);
		} else {
			book(path, node, pu, lane->node_ns[n]);
		}
	}
	book(path, path->x->model.root, p->first_pu, unknown_ns);
	/* The same time may have been counted twice: once because its node is an estimate, and once
	 * because this node is a wait whose culprit is an estimate. */
	path->causes->critical_estimated_ns += path->estimated_ns < all ? path->estimated_ns : all;
}

/* -- following the path backwards -------------------------------------------------------------- */

/* Follows the path back from the end of the process that ended last. The walk begins in the
 * process's initial thread or, if this thread ended before the process, in the thread that ended
 * last. */
static void walk_back(struct path *path)
{
	const struct experiment *x = path->x;
	uint32_t process = 0;
	for (uint32_t i = 0; i < x->model.process.n; i++)
		process = x->model.process.at[i].end_ns > x->model.process.at[process].end_ns ?
			i :
			process;
	const struct process *p = &x->model.process.at[process];
	const struct profile_life *initial = NULL, *last = NULL;
	for (size_t i = 0; i < p->profile.life.n; i++) {
		const struct profile_life *life = &p->profile.life.at[i];
		if (life->blocked || life->slot >= p->slots)
			continue;
		initial = life->slot == 0 ? life : initial;
		last = !last || life->exit > last->exit ? life : last;
	}
	int64_t time = p->end_ns;
	uint32_t unit = p->first_pu + (initial ? last->slot : 0);
	for (const struct path_jump *j; (j = path_jumps_before(&path->jumps, unit, time));) {
		add_interval(path, unit, j->time, time);
		time = j->time;
		unit = j->other;
	}
	process = x->model.pu.at[unit].process;
	int64_t start = x->model.process.at[process].start_ns;
	start = start < time ? start : time;
	add_interval(path, unit, start, time);
	add_ns(path, process, NONE, start - x->model.start_ns);
}

/* Adds to the estimated time of the path the time in which the path may have been in another
 * thread. Without a trace it is not known when threads worked at the same time. If the path goes
 * through a thread because the initial thread waited for it, the thread may have been on the path
 * earlier, too, instead of the initial thread. If both worked in the same region, this makes no
 * difference. */
static void add_beside(struct path *path)
{
	const struct experiment *x = path->x;
	struct experiment_causes *c = path->causes;
	int64_t all = 0, beside = 0;
	for (size_t i = 0; i < c->critical.n; i++) {
		const struct booking *b = &c->critical.at[i];
		uint32_t process = x->model.pu.at[b->pu].process,
			 initial = x->model.process.at[process].first_pu;
		all += b->ns;
		if (x->model.pu.at[b->pu].slot != 0 && !timelines_whole(path->timelines, process) &&
		    experiment_summary(x, b->node, initial) == INDEX_NONE)
			beside += room_at(path, b->node, b->pu);
	}
	int64_t sum = c->critical_estimated_ns + beside;
	c->critical_estimated_ns = sum < all ? sum : all;
}

void critical_path(const struct experiment *x, struct experiment_causes *c,
		   const struct thread_waits *threads)
{
	size_t processes = x->model.process.n;
	struct path path = { .x = x, .causes = c, .timelines = threads->timelines,
			     .lane = mem_alloc(processes + 1, sizeof *path.lane) };
	intervals_init(&path.intervals, x, threads->timelines);
	path_jumps_init(&path.jumps, x, threads);
	pairs_by_node_init(&path.pairs, c);
	for (uint32_t i = 0; i < processes; i++) {
		const struct process *p = &x->model.process.at[i];
		path.lane[i].node_ns = mem_alloc(p->profile.node.n + 1, sizeof(int64_t));
		path.lane[i].somewhere_ns = mem_alloc(p->slots + 1, sizeof(int64_t));
	}
	walk_back(&path);
	for (uint32_t i = 0; i < processes; i++) {
		path.estimated_ns = 0;
		for (uint32_t slot = 0; slot < x->model.process.at[i].slots; slot++)
			charge_unlocated(&path, i, slot);
		book_process(&path, i);
		free(path.lane[i].node_ns), free(path.lane[i].somewhere_ns);
	}
	add_beside(&path);
	free(path.lane);
	map_free(&path.by_node_and_pu);
	pairs_by_node_release(&path.pairs);
	path_jumps_release(&path.jumps);
	intervals_release(&path.intervals);
}
