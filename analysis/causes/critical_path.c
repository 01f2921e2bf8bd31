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
 * interval.c says which regions a process was in during a part of the path. Where this is not
 * known, it is estimated: the time is distributed like the process's whole time outside of MPI. */
#include "causes/critical_path.h"

#include <stdlib.h>

#include "causes/interval.h"

struct lane { /* a process on the path */
	int64_t *node_ns;      /* on the path, by node of the profile */
	int64_t somewhere_ns;  /* on the path, outside of MPI */
	int64_t unknown_ns;    /* before it began, or in no node */
	size_t first_delay;
};
struct path {
	struct experiment *x;
	struct intervals intervals;
	struct lane *lane;     /* of each process, and one more for first_delay */
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

static void add_interval(struct path *path, uint32_t process, int64_t from, int64_t to)
{
	interval_for_each(&path->intervals, process, 0, from, to, take_interval,
			  &path->lane[process]);
}

/* -- what is known of a process ---------------------------------------------------------------- */

static bool is_elsewhere(const struct experiment *x, const struct process *p, uint32_t node)
{
	return p->profile.node.at[node].slot == 0 &&
		!sis_region_in(region_of_node(x, p->global[node])->type, CR_MPI);
}

/* Distributes the time somewhere outside of MPI over all regions that the initial thread ran
 * outside of MPI. */
static void charge_unlocated(struct path *path, uint32_t process)
{
	const struct process *p = &path->x->model.process.at[process];
	struct lane *lane = &path->lane[process];
	int64_t whole = 0, ns = lane->somewhere_ns, left = ns;
	for (size_t i = 0; i < p->ordered; i++)
		whole += is_elsewhere(path->x, p, p->order[i]) ? p->excl_ns[p->order[i]] : 0;
	for (size_t i = 0; i < p->ordered && whole; i++) {
		uint32_t n = p->order[i];
		int64_t part = is_elsewhere(path->x, p, n) ? (__int128)ns * p->excl_ns[n] / whole :
							     0;
		part = part < left ? part : left;
		add(path, process, n, part);
		left -= part;
	}
	lane->unknown_ns += left;
	if (ns < whole - whole / 100) /* the whole of it is no estimate */
		path->x->causes.critical_estimated_ns += ns;
}

static void book(struct experiment *x, struct map *by_place, uint32_t node, uint32_t pu, int64_t ns)
{
	bool fresh;
	if (ns <= 0)
		return;
	uint32_t i = map_put(by_place, node, pu, x->causes.critical.n, &fresh);
	if (fresh)
		*vec_push(&x->causes.critical) = (struct booking){ node, pu, O_NONE, 0 };
	x->causes.critical.at[i].ns += ns;
}

static void book_all(struct path *path)
{
	struct experiment *x = path->x;
	struct map by_place = { 0 };
	for (uint32_t i = 0; i < x->model.process.n; i++) {
		const struct process *p = &x->model.process.at[i];
		int64_t unknown_ns = path->lane[i].unknown_ns;
		for (uint32_t n = 0; n < p->profile.node.n; n++) {
			if (p->global[n] == NONE)
				unknown_ns += path->lane[i].node_ns[n];
			else
				book(x, &by_place, p->global[n],
				     p->first_pu + p->profile.node.at[n].slot,
				     path->lane[i].node_ns[n]);
		}
		book(x, &by_place, x->model.root, p->first_pu, unknown_ns);
	}
	map_free(&by_place);
}

/* -- the way back ------------------------------------------------------------------------------ */

/* The process's last wait that was over before `time`; NULL: none. */
static const struct blocked_interval *last_delay(const struct path *path, uint32_t process,
						 int64_t time)
{
	const struct blocked_interval *delay = path->x->match.blocked.at;
	size_t low = path->lane[process].first_delay, high = path->lane[process + 1].first_delay,
	       first = low;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (delay[middle].until < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low > first ? &delay[low - 1] : NULL;
}

static void walk(struct path *path)
{
	struct experiment *x = path->x;
	uint32_t process = 0;
	for (uint32_t i = 0; i < x->model.process.n; i++)
		process = x->model.process.at[i].end_ns > x->model.process.at[process].end_ns ?
			i :
			process;
	int64_t time = x->model.process.at[process].end_ns;
	for (const struct blocked_interval *d; (d = last_delay(path, process, time));) {
		add_interval(path, process, d->until, time);
		time = d->until;
		process = d->culprit;
	}
	int64_t start = x->model.process.at[process].start_ns < time ?
		x->model.process.at[process].start_ns :
		time;
	add_interval(path, process, start, time);
	add(path, process, NONE, start - x->model.start_ns);
}

/* Delays of a process in the order of their ends, one process after the other. */
static void find_delays(struct path *path)
{
	struct experiment *x = path->x;
	size_t d = 0;
	for (uint32_t i = 0; i <= x->model.process.n; i++) {
		while (d < x->match.blocked.n && x->match.blocked.at[d].process < i)
			d++;
		path->lane[i].first_delay = d;
	}
}

void critical_path(struct experiment *x, const struct timelines *timelines)
{
	struct path path = { .x = x, .lane = mem_alloc(x->model.process.n + 1, sizeof *path.lane) };
	intervals_init(&path.intervals, x, timelines);
	for (uint32_t i = 0; i < x->model.process.n; i++)
		path.lane[i].node_ns = mem_alloc(x->model.process.at[i].profile.node.n + 1,
						 sizeof(int64_t));
	find_delays(&path);
	walk(&path);
	for (uint32_t i = 0; i < x->model.process.n; i++)
		charge_unlocated(&path, i);
	book_all(&path);
	for (uint32_t i = 0; i < x->model.process.n; i++)
		free(path.lane[i].node_ns);
	free(path.lane);
	intervals_release(&path.intervals);
}
