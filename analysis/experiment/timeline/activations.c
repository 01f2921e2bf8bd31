/* SPDX-License-Identifier: BSD-3-Clause */
/* activations.c - turns the events of traces into activations of nodes. Owns the open activations
 * of one thread at a time, and the teams of one process. Called by one thread.
 *
 * Most activations in a node belong to the same child as the previous activation in this node. So
 * each node remembers its last child, and the map of children is rarely searched. */
#include "experiment/timeline/activations.h"

#include <stdlib.h>

#include "experiment/model/regions.h"
#include "experiment/timeline/trace_walk.h"

struct open { /* an activation; node: of the process's profile */
	struct activation at;
	uint32_t node, team; /* team: if it begins a part of a team, the part's index; else NONE */
};
struct last_child { uint32_t id, node; };
struct reading {
	const struct experiment *x;
	const struct activation_reader *reader;
	void *self;
	uint32_t *node_open;     /* number of open activations, by node */
	/* of the process */
	const struct process *process;
	struct trace_nodes nodes;
	struct last_child *last; /* by node */
	team_parts teams;
	/* of the thread */
	uint32_t slot;
	bool is_skipped;         /* the profile has no such slot */
	uint32_t outermost;      /* node in which regions are entered if none is open; NONE */
	bool is_known;           /* whether it is known what the thread does outside of regions */
	int64_t last_ns;         /* time of the last event */
	VEC(struct open) open;
};

/* -- nodes of activations ---------------------------------------------------------------------- */

static uint32_t global_of(const struct reading *r, uint32_t node)
{
	return node == NONE ? NONE : r->process->global[node];
}

/* The child of `parent` in which an activation of the region is counted. `parent` is not NONE. */
static uint32_t find_child(struct reading *r, uint32_t parent, uint32_t id, int64_t ns)
{
	struct last_child *last = &r->last[parent];
	if (last->id == id)
		return last->node;
	uint32_t node = trace_nodes_enter(&r->nodes, parent, id);
	if (node != NONE && r->nodes.next_same[node] != NONE)
		return team_parts_choose(&r->teams, &r->nodes, node, ns);
	*last = (struct last_child){ id, node };
	return node;
}

/* -- functions of the trace_writer ------------------------------------------------------------- */

static void begin_process(void *self, const struct process *process, const struct trace *trace,
			  const struct trace_names *names)
{
	struct reading *r = self;
	(void)names;
	r->process = process;
	trace_nodes_init(&r->nodes, r->x, process, trace);
	r->last = mem_alloc(process->profile.node.n + 1, sizeof *r->last);
	if (r->reader->process)
		r->reader->process(r->self, process, trace);
}

static void end_process(void *self)
{
	struct reading *r = self;
	team_parts_find_teams(&r->teams, r->process);
	if (r->reader->end_process)
		r->reader->end_process(r->self, &r->teams);
	vec_free(&r->teams);
	trace_nodes_release(&r->nodes);
	free(r->last);
}

/* Gives the time from the last event until `ns` to the reader. Before the first event, the thread
 * was outside of all regions. */
static void pass(struct reading *r, int64_t ns)
{
	const struct activation *in = r->open.n ? &r->open.at[r->open.n - 1].at : NULL;
	if (ns > r->last_ns && r->reader->time)
		r->reader->time(r->self, in, r->is_known, r->last_ns, ns);
	r->last_ns = ns > r->last_ns ? ns : r->last_ns;
}

static void begin_unit(void *self, uint32_t slot)
{
	struct reading *r = self;
	r->slot = slot;
	r->is_skipped = slot >= r->process->slots;
	r->outermost = r->is_skipped ? NONE : r->nodes.root[slot];
	r->is_known = true;
	r->last_ns = r->process->start_ns;
	if (!r->is_skipped)
		r->reader->unit(r->self, r->process->first_pu + slot);
}

static void end_unit(void *self)
{
	struct reading *r = self;
	if (!r->is_skipped)
		pass(r, r->process->end_ns);
	if (!r->is_skipped && r->reader->end_unit)
		r->reader->end_unit(r->self);
	vec_free(&r->open);
}

static void begin(struct reading *r, uint32_t id, int64_t ns, bool begins)
{
	if (r->is_skipped)
		return;
	uint32_t parent = r->open.n ? r->open.at[r->open.n - 1].node : r->outermost,
		 node = parent == NONE ? NONE : find_child(r, parent, id, ns);
	struct open open = { .node = node, .team = NONE };
	struct activation *a = &open.at;
	*a = (struct activation){
		.id = id,
		.region = node != NONE ? r->nodes.region_of[node] :
			id < r->nodes.region.n ? r->nodes.region.at[id] : NONE,
		.node = global_of(r, node),
		.parent = global_of(r, parent),
		.enter_ns = ns,
		.begins = begins,
	};
	pass(r, ns);
	a->node_is_open = a->node != NONE && r->node_open[a->node]++ > 0;
	if (node != NONE && region_forks_team(r->x->model.region.at[a->region].type))
		open.team = team_parts_add(&r->teams, r->slot, node, ns);
	*vec_push(&r->open) = open;
	if (r->reader->enter)
		r->reader->enter(r->self, a, ns);
}

static void enter(void *self, uint32_t id, int64_t ns) { begin(self, id, ns, true); }

static void is_open(void *self, uint32_t id, int64_t ns) { begin(self, id, ns, false); }

static void leave(void *self, uint32_t id, int64_t ns)
{
	struct reading *r = self;
	(void)id;
	if (r->is_skipped)
		return;
	pass(r, ns);
	const struct open *open = &r->open.at[--r->open.n];
	if (open->at.node != NONE)
		r->node_open[open->at.node]--;
	if (open->team != NONE)
		r->teams.at[open->team].leave = ns;
	if (r->reader->leave)
		r->reader->leave(r->self, &open->at, ns);
}

static void stop(void *self, int64_t ns)
{
	struct reading *r = self;
	if (r->is_skipped)
		return;
	pass(r, ns);
	r->is_known = false;
	if (r->reader->pause)
		r->reader->pause(r->self, ns);
}

/* If regions are open when the stream begins, the trace was switched on later than the process
 * began. */
static void resume(void *self, uint32_t unnamed, uint32_t open, int64_t ns)
{
	struct reading *r = self;
	if (r->is_skipped)
		return;
	if (open && !r->open.n && r->last_ns < ns)
		r->is_known = false;
	pass(r, ns);
	r->is_known = !unnamed;
	r->outermost = unnamed ? NONE : r->nodes.root[r->slot];
	if (r->reader->resume)
		r->reader->resume(r->self, open > 0, ns);
}

/* -- reading all traces ------------------------------------------------------------------------ */

/* Whether the traces must be read from their begin. The node of an activation may depend on the
 * thread that forked its team. This thread is known only if all earlier events were read. Only
 * processes with teams or tasks have such nodes. */
static bool needs_begin(const struct experiment *x)
{
	for (size_t i = 0; i < x->model.process.n; i++)
		for (size_t k = 0; k < x->model.process.at[i].profile.node.n; k++)
			if (x->model.process.at[i].profile.node.at[k].origin != NONE)
				return true;
	return false;
}

uint64_t activations_read(const struct experiment *x, struct traces *traces, int64_t from_ns,
			  int64_t to_ns, const struct activation_reader *reader, void *self)
{
	static const struct trace_writer writer = {
		.process = begin_process,
		.stream = begin_unit,
		.enter = enter,
		.open = is_open,
		.leave = leave,
		.pause = stop,
		.resume = resume,
		.end_stream = end_unit,
		.end_process = end_process,
	};
	struct reading r = { .x = x, .reader = reader, .self = self };
	r.node_open = mem_alloc(x->model.node.n + 1, sizeof *r.node_open);
	struct trace_part part = trace_part_of(x, needs_begin(x) ? 0 : from_ns, to_ns, -1, -1);
	uint64_t unknown = trace_walk(&part, traces, &writer, &r);
	free(r.node_open);
	return unknown;
}
