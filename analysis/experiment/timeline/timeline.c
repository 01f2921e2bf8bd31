/* SPDX-License-Identifier: BSD-3-Clause */
/* timeline.c - finds out from traces what threads did at which time. Owns the open traces and its
 * tables. Called by one thread.
 *
 * Each trace is read once from begin to end. For each block, only the nodes that were open at its
 * begin are kept. timeline_for_each reads the blocks of the requested time again. A cache keeps the
 * last blocks of each thread, because many calls ask for nearly the same time. For example, one
 * block of a thread may contain thousands of its waits for a lock. */
#include "experiment/timeline/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/sort.h"
#include "experiment/model/regions.h"

enum {
	SPANS_MOST = 1 << 22, /* most waits and parts of teams kept of a process: 128 MiB */
	DEEPEST = 1 << 20,    /* most open activations of a thread; a larger number is damage */
	CACHED = 64,          /* blocks of some ten thousand events, or WAYS of each thread */
	WAYS = 2,
	/* LIMIT: with more threads, those with the same PU number modulo SETS_MOST share a set of
	 * the cache, and blocks are read more often */
	SETS_MOST = 512,
};

struct segment { int64_t from; uint32_t node; };
typedef VEC(struct segment) segments;

struct timeline_block {
	size_t position;      /* index in trace.block */
	int64_t from;
	/* the nodes open at its begin: index of the first in process_timelines.open, and number */
	size_t open, depth;
	bool known;           /* whether these nodes are known; else the block's own list is used */
};

/* used: the number of `questions` at its last use; 0: empty */
struct cached { uint32_t process, slot; size_t block; segments part; uint64_t used; };
struct timeline_cache {
	uint32_t sets, ways;  /* a set for each thread, with `ways` blocks */
	uint64_t questions, steps;
	struct cached *at;
};

/* -- taking the events of a block -------------------------------------------------------------- */

/* an open activation; part: index of the part of a team that it begins, or is in; NONE */
struct open {
	uint32_t node, part;
	bool copied; /* a node RT_COPYPRIV was entered in this activation */
};
struct reading {
	const struct timelines *t;
	struct process_timelines *p;
	uint32_t slot;
	VEC(struct open) open;
	bool lost;            /* it is not known which regions are open */
	int64_t now;
	segments *segment;    /* gets the segments; may be NULL */
	bool collects;        /* waits and parts of teams are added to `p` */
	bool ends;            /* no event is missing after the last one */
	struct wait_span wait; /* the current wait; node NONE: there is none */
};

static uint32_t current(const struct reading *r)
{
	return r->lost ? NONE : r->open.n ? r->open.at[r->open.n - 1].node :
					    r->p->nodes.root[r->slot];
}

static enum sis_region_type type_of(const struct reading *r, uint32_t node)
{
	uint32_t region = r->p->nodes.region_of[node];
	return region == NONE ? RT_RUN : r->t->x->model.region.at[region].type;
}

static bool is_barrier(enum sis_region_type type)
{
	return type == RT_IBAR || type == RT_EBAR || type == RT_COPYPRIV;
}

static uint32_t part_of(const struct reading *r)
{
	return r->open.n ? r->open.at[r->open.n - 1].part : NONE;
}

/* The number of the barrier at which the thread waits from r->now on; 0 if it waits at no barrier.
 * When a wait ends, the runtime divides it: the node for the loss of parallelism follows the node
 * of the barrier. Between the two may be the node of the construct, whose exclusive time is a wait,
 * too. So a wait that directly follows a wait at a barrier is at the same barrier. */
static uint32_t barrier_of(const struct reading *r, uint32_t node, uint32_t part)
{
	enum sis_region_type type = type_of(r, node);
	const struct wait_span *last = r->p->span.n ? &r->p->span.at[r->p->span.n - 1] : NULL;
	bool follows = last && last->slot == r->slot && last->leave == r->now;
	if (part == NONE)
		return 0;
	if (is_barrier(type))
		return r->p->part.at[part].barriers;
	return follows && last->part == part ? last->barrier : 0;
}

/* Begins a segment: the thread is in the node current(r) from r->now on. */
static void begin_segment(struct reading *r)
{
	uint32_t node = current(r), part = part_of(r);
	if (r->segment)
		*vec_push(r->segment) = (struct segment){ r->now, node };
	if (!r->collects)
		return;
	if (r->wait.node != NONE) {
		r->wait.leave = r->now;
		*vec_push(&r->p->span) = r->wait;
	}
	r->wait.node = NONE;
	if (node == NONE || !r->p->waits[node])
		return;
	r->wait = (struct wait_span){ .slot = r->slot, .node = node, .enter = r->now,
				      .part = part, .barrier = barrier_of(r, node, part) };
}

/* libgomp has two functions for a single with copyprivate. The first one selects the thread that
 * executes the construct; the other threads wait in it. The selected thread calls the second one
 * afterwards. All threads meet at one barrier. Returns whether the node is the second function, so
 * that the barrier is not counted twice.
 * LIMIT: in code that sisc did not compile, there is no region of the construct. So the barrier is
 * counted twice. */
static bool is_same_copy(struct reading *r, uint32_t node)
{
	if (type_of(r, node) != RT_COPYPRIV || !r->open.n)
		return false;
	struct open *around = &r->open.at[r->open.n - 1];
	bool again = around->copied && type_of(r, around->node) == CR_OMPSINGLE;
	around->copied = true;
	return again;
}

static void enter(struct reading *r, uint32_t id)
{
	uint32_t node = team_parts_choose(&r->p->part, &r->p->nodes,
					  trace_nodes_enter(&r->p->nodes, current(r), id), r->now);
	struct open open = { node, part_of(r), false };
	if (r->open.n >= DEEPEST)
		return;
	if (r->collects && node != NONE && region_forks_team(type_of(r, node)))
		open.part = team_parts_add(&r->p->part, r->slot, node, r->now);
	if (r->collects && node != NONE && open.part != NONE && is_barrier(type_of(r, node)) &&
	    !is_same_copy(r, node))
		r->p->part.at[open.part].barriers++;
	*vec_push(&r->open) = open;
}

static void leave(struct reading *r)
{
	if (!r->open.n) {
		r->lost = true;
		return;
	}
	struct open last = r->open.at[--r->open.n];
	if (r->collects && last.part != NONE && last.part != part_of(r))
		r->p->part.at[last.part].leave = r->now;
}

static void note_gap(struct process_timelines *p, enum timeline_gap gap) { p->gaps |= 1u << gap; }

/* Notes that events of the thread are missing. */
static void note_gap_in_lane(struct reading *r, enum timeline_gap gap)
{
	note_gap(r->p, gap);
	r->p->lane[r->slot].whole = false;
}

/* After a gap, the block says which regions are open. */
static void resume(struct reading *r, const struct trace_event *event)
{
	/* If regions are open when a stream begins, the trace was switched on after the process
	 * began. Before that moment, nothing is known of any thread. */
	if (r->collects && event->depth > 0 && r->p->lane[r->slot].block.n == 1) {
		r->p->begin = r->now > r->p->begin ? r->now : r->p->begin;
		note_gap(r->p, GAP_PAUSED);
	}
	r->open.n = 0;
	r->lost = event->depth != event->paths;
	for (uint32_t i = 0; i < event->paths && !r->lost; i++)
		enter(r, event->path[i]);
}

static void take_event(struct reading *r, const struct trace_event *event)
{
	int64_t ns = clock_ns(&r->p->process->clock, event->ticks);
	r->now = ns > r->now ? ns : r->now;
	if (event->kind == TRACE_ENTER) {
		enter(r, event->id);
	} else if (event->kind == TRACE_LEAVE) {
		leave(r);
	} else if (event->kind == TRACE_RESUME) {
		resume(r, event);
	} else if (event->kind == TRACE_STOP) {
		r->lost = true;
		if (r->collects)
			note_gap_in_lane(r, GAP_PAUSED);
	} else {
		return;
	}
	begin_segment(r);
}

/* -- reading a whole trace --------------------------------------------------------------------- */

/* Reads the events of a block. Reading of a damaged block ends early. */
static void read_events(struct reading *r, size_t block, bool known)
{
	struct trace *trace = r->p->trace;
	struct trace_cursor cursor;
	struct trace_event event;
	uint64_t damaged = trace->damaged;
	for (trace_cursor_block(&cursor, trace, block); trace_next(&cursor, &event);)
		if (event.kind != TRACE_RESUME || !known)
			take_event(r, &event);
	trace_cursor_release(&cursor);
	if (trace->damaged != damaged) {
		r->lost = true;
		note_gap_in_lane(r, GAP_DAMAGED);
	}
}

static void read_lane(struct reading *r, size_t block, size_t end)
{
	struct process_timelines *p = r->p;
	const struct trace *trace = p->trace;
	struct timeline_lane *lane = &p->lane[r->slot];
	lane->whole = true;
	for (size_t first = block; block < end; block++) {
		const struct trace_block_position *b = &trace->block.at[block];
		bool continues = block > 0 && b[-1].slot == b->slot &&
			b[-1].serial + 1 == b->serial && !b->dropped;
		bool known = continues && !r->lost;
		if (b->dropped)
			note_gap_in_lane(r, GAP_DROPPED);
		if (block == first ? b->serial > 0 : b[-1].serial + 1 != b->serial)
			note_gap_in_lane(r, trace->head.overwrites ? GAP_DROPPED : GAP_DAMAGED);
		*vec_push(&lane->block) = (struct timeline_block){
			.position = block,
			.from = clock_ns(&p->process->clock, b->first),
			.open = p->open.n,
			.depth = r->open.n,
			.known = known,
		};
		for (size_t i = 0; known && i < r->open.n; i++)
			*vec_push(&p->open) = r->open.at[i].node;
		read_events(r, block, known);
		if (p->span.n + p->part.n > SPANS_MOST) {
			note_gap_in_lane(r, GAP_TOO_MANY);
			return;
		}
	}
	if (r->lost && lane->whole)
		note_gap_in_lane(r, GAP_DAMAGED);
}

static void end_lane(struct reading *r)
{
	int64_t end = r->p->process->end_ns;
	r->p->lane[r->slot].end = r->ends ? end : r->now;
	r->now = end > r->now ? end : r->now;
	if (r->wait.node != NONE) {
		r->wait.leave = r->now;
		*vec_push(&r->p->span) = r->wait;
	}
	while (r->open.n)
		leave(r);
	vec_free(&r->open);
}

static void read_process(const struct timelines *t, struct process_timelines *p)
{
	const struct trace *trace = p->trace;
	/* Whether the traces have the last events of all threads. If the process did not end
	 * regularly, these events are in the ring. */
	bool ends = !trace->dropped_last && (trace->ended ?
		!trace->damaged && !trace->end.lost_blocks : trace->ring >= 0);
	trace_nodes_init(&p->nodes, t->x, p->process, trace);
	p->lane = mem_alloc(p->process->slots + (size_t)1, sizeof *p->lane);
	p->waits = mem_alloc(p->process->profile.node.n + 1, sizeof *p->waits);
	for (size_t i = 0; i < p->process->profile.node.n; i++) {
		uint32_t region = p->nodes.region_of[i];
		enum sis_overhead leaf = region == NONE ? O_NONE :
			region_leaf(&t->x->model.region.at[region]);
		p->waits[i] = sis_overhead_is(leaf, IS_THREAD_WAIT);
	}
	p->begin = p->process->start_ns;
	if (trace->dropped || trace->end.lost_blocks)
		note_gap(p, GAP_DROPPED);
	if (trace->ended ? trace->damaged > 0 : trace->ring < 0)
		note_gap(p, GAP_DAMAGED);
	if (!trace->block.n)
		note_gap(p, GAP_PAUSED);
	for (size_t block = 0, end; block < trace->block.n; block = end) {
		struct reading r = { .t = t, .p = p, .slot = trace->block.at[block].slot,
				     .collects = true, .ends = ends, .wait.node = NONE,
				     .now = INT64_MIN };
		for (end = block; end < trace->block.n && trace->block.at[end].slot == r.slot;)
			end++;
		if (r.slot < p->process->slots) {
			read_lane(&r, block, end);
			end_lane(&r);
		}
	}
}

/* -- warnings ---------------------------------------------------------------------------------- */

static const char *const gap_texts[GAPS] = {
	[GAP_NO_TRACE] = "no trace that can be read",
	[GAP_DAMAGED] = "damaged or incomplete files",
	[GAP_DROPPED] = "events that were not kept",
	[GAP_PAUSED] = "a trace that was not always on",
	[GAP_TOO_MANY] = "too many waits",
};

static void warn_of_gaps(const struct timelines *t, warning_list *warnings)
{
	struct buf why = { 0 };
	size_t processes = 0;
	for (size_t i = 0; i < t->x->model.process.n; i++)
		processes += t->process[i].gaps != 0;
	for (enum timeline_gap gap = 0; gap < GAPS; gap++) {
		size_t n = 0;
		for (size_t i = 0; i < t->x->model.process.n; i++)
			n += t->process[i].gaps >> gap & 1;
		if (n)
			buf_print(&why, "%s%s: %zu", why.length ? ", " : "", gap_texts[gap], n);
	}
	char *text = buf_take(&why);
	if (processes)
		warnings_add_of(warnings, WARNING_CAUSES,
				"causes of waits are estimated for %zu of %zu processes, "
				"because their traces are not whole (%s)",
				processes, t->x->model.process.n, text);
	free(text);
}

/* Warns if causes are estimated. There is no warning if the run has only one processing unit,
 * because then no unit waits for another one. */
static void warn(struct timelines *t, warning_list *warnings)
{
	size_t unreadable = t->traces.unreadable.n, traces = unreadable + t->traces.unwritten;
	for (size_t i = 0; i < unreadable; i++)
		warnings_add_of(warnings, WARNING_CAUSES, "%s; its process has no trace",
				t->traces.unreadable.at[i]);
	for (size_t i = 0; i < t->x->model.process.n; i++)
		traces += t->process[i].trace != NULL;
	if (!traces || t->x->model.pu.n < 2)
		return;
	for (size_t i = 0; i < t->x->model.process.n; i++)
		if (!t->process[i].trace)
			note_gap(&t->process[i], GAP_NO_TRACE);
	warn_of_gaps(t, warnings);
}

/* -- reading all traces ------------------------------------------------------------------------ */

void timelines_init(struct timelines *t, const struct experiment *x, warning_list *warnings)
{
	*t = (struct timelines){ .x = x };
	t->process = mem_alloc(x->model.process.n + 1, sizeof *t->process);
	size_t threads = x->model.pu.n;
	struct timeline_cache *c = t->cache = mem_alloc(1, sizeof *c);
	c->sets = threads < 1 ? 1 : threads < SETS_MOST ? (uint32_t)threads : SETS_MOST;
	c->ways = CACHED / c->sets > WAYS ? CACHED / c->sets : WAYS;
	c->at = mem_alloc((size_t)c->sets * c->ways, sizeof *c->at);
	for (size_t i = 0; i < x->model.process.n; i++)
		t->process[i].process = &x->model.process.at[i];
	if (!x->run.directory)
		return;
	traces_open(&t->traces, x->run.directory);
	for (size_t i = 0; i < t->traces.trace.n; i++) {
		const struct process *process = trace_process(x, &t->traces.trace.at[i]);
		struct process_timelines *p = process ? &t->process[process - x->model.process.at] :
							NULL;
		if (!p || p->trace)
			continue;
		p->trace = &t->traces.trace.at[i];
		read_process(t, p);
		team_parts_find_teams(&p->part, process);
	}
	warn(t, warnings);
}

void timelines_release(struct timelines *t)
{
	for (size_t i = 0; i < t->x->model.process.n; i++) {
		struct process_timelines *p = &t->process[i];
		for (uint32_t slot = 0; p->lane && slot < p->process->slots; slot++)
			vec_free(&p->lane[slot].block);
		trace_nodes_release(&p->nodes);
		vec_free(&p->open), vec_free(&p->part), vec_free(&p->span);
		free(p->lane), free(p->waits);
	}
	struct timeline_cache *c = t->cache;
	for (size_t i = 0; i < (size_t)c->sets * c->ways; i++)
		vec_free(&c->at[i].part);
	free(c->at), free(c);
	traces_release(&t->traces);
	free(t->process);
}

/* -- answers from blocks ----------------------------------------------------------------------- */

static struct timeline_lane *lane_of(const struct timelines *t, uint32_t process, uint32_t slot)
{
	struct process_timelines *p = &t->process[process];
	return p->trace && slot < p->process->slots && p->lane[slot].block.n ? &p->lane[slot] :
		NULL;
}

bool timelines_whole(const struct timelines *t, uint32_t process)
{
	return t->process[process].trace && t->process[process].gaps == 0;
}

bool timeline_covers(const struct timelines *t, uint32_t process, uint32_t slot, int64_t from,
		     int64_t to)
{
	const struct timeline_lane *lane = lane_of(t, process, slot);
	return lane && lane->whole && from >= t->process[process].begin && to <= lane->end;
}

static void read_block(const struct timelines *t, struct cached *c)
{
	struct process_timelines *p = &t->process[c->process];
	const struct timeline_block *b = &p->lane[c->slot].block.at[c->block];
	struct reading r = { .t = t, .p = p, .slot = c->slot, .lost = !b->known,
			     .now = INT64_MIN, .segment = &c->part };
	struct trace_cursor cursor;
	struct trace_event event;
	for (size_t i = 0; b->known && i < b->depth; i++)
		*vec_push(&r.open) = (struct open){ .node = p->open.at[b->open + i] };
	c->part.n = 0;
	*vec_push(&c->part) = (struct segment){ b->from, current(&r) };
	for (trace_cursor_block(&cursor, p->trace, b->position); trace_next(&cursor, &event);)
		if (event.kind != TRACE_RESUME || !b->known)
			take_event(&r, &event);
	trace_cursor_release(&cursor);
	vec_free(&r.open);
}

/* The entry of the block in the cache. If the block has none, the least recently used entry of the
 * set is returned, and its `used` becomes 0. */
static struct cached *find_cached(struct timeline_cache *cache, uint32_t pu, uint32_t process,
				  uint32_t slot, size_t block)
{
	struct cached *set = &cache->at[(size_t)(pu % cache->sets) * cache->ways], *oldest = set;
	for (struct cached *c = set; c < set + cache->ways; c++) {
		if (c->used && c->process == process && c->slot == slot && c->block == block)
			return c;
		oldest = c->used < oldest->used ? c : oldest;
	}
	oldest->used = 0;
	return oldest;
}

static const segments *block_at(const struct timelines *t, uint32_t process, uint32_t slot,
				size_t block)
{
	uint32_t pu = t->process[process].process->first_pu + slot;
	struct cached *c = find_cached(t->cache, pu, process, slot, block);
	if (!c->used) {
		c->process = process, c->slot = slot, c->block = block;
		read_block(t, c);
		t->cache->steps += c->part.n;
	}
	c->used = ++t->cache->questions;
	return &c->part;
}

uint64_t timelines_steps(const struct timelines *t)
{
	return t->cache->steps;
}

void timeline_for_each(const struct timelines *t, uint32_t process, uint32_t slot, int64_t from,
		       int64_t to, timeline_fn *take, void *arg)
{
	const struct timeline_lane *lane = lane_of(t, process, slot);
	size_t n = lane ? lane->block.n : 0;
	size_t block = search_first(i, 0, n, lane->block.at[i].from <= from);
	if (lane && block == 0 && from < to) { /* until the first event it is in the root */
		int64_t end = lane->block.at[0].from < to ? lane->block.at[0].from : to;
		take(arg, t->process[process].nodes.root[slot], from, end);
		from = end;
	}
	for (block -= block > 0; block < n && from < to; block++) {
		const segments *s = block_at(t, process, slot, block);
		int64_t last = block + 1 < n ? lane->block.at[block + 1].from : INT64_MAX;
		size_t first = search_first(i, 0, s->n, s->at[i].from <= from);
		for (size_t i = first - (first > 0); i < s->n && from < to; i++) {
			int64_t end = i + 1 < s->n ? s->at[i + 1].from : last;
			end = end < to ? end : to;
			if (end > from)
				take(arg, s->at[i].node, from, end);
			from = end > from ? end : from;
			t->cache->steps++;
		}
	}
	if (from < to)
		take(arg, NONE, from, to);
}
