/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_walk.c - walks through the traces of an experiment. Owns the open regions of one stream at
 * a time; called by one thread.
 *
 * Streams are read one after the other, and each event is passed to the writer when it is read. So
 * the memory in use does not grow with the trace. Each region that begins in the output also ends
 * there, even if some events of the region are missing. */
#include "experiment/timeline/trace_walk.h"

#include <inttypes.h>
#include <math.h>

#include "base/clamp.h"
#include "experiment/timeline/trace_nodes.h"

struct walk {
	const struct trace_part *part;
	const struct trace_writer *writer;
	void *self;
};

struct stream { /* a thread that is written */
	const struct walk *walk;
	const struct process *process;
	uint32_t slot;
	VEC(uint32_t) open;  /* ids of open regions, outermost first */
	size_t shown;        /* the first `shown` open regions have begun in the output */
	int64_t now_ns;      /* time of the last event; it does not decrease */
};

/* -- open regions ------------------------------------------------------------------------------ */

/* Begins all open regions in the output that have not begun there yet. Some of them may have begun
 * before the interval. */
static void show(struct stream *s, int64_t ns, bool entered)
{
	const struct trace_writer *w = s->walk->writer;
	for (; s->shown < s->open.n; s->shown++)
		(entered || !w->open ? w->enter : w->open)(s->walk->self, s->open.at[s->shown], ns);
}

static void close_to(struct stream *s, size_t left, int64_t ns)
{
	for (; s->open.n > left; s->open.n--)
		if (s->shown == s->open.n) {
			s->walk->writer->leave(s->walk->self, s->open.at[s->open.n - 1], ns);
			s->shown--;
		}
}

static void leave(struct stream *s, int64_t ns)
{
	if (s->open.n) /* if none is open, the region was too deep to be named in a block */
		close_to(s, s->open.n - 1, ns);
}

/* Continues after a gap. A region that is open before and after the gap is assumed to have been
 * open during the gap. */
static void resume(struct stream *s, const struct trace_event *event, int64_t ns)
{
	size_t same = 0;
	while (event->depth == event->paths && same < s->open.n && same < event->paths &&
	       s->open.at[same] == event->path[same])
		same++;
	close_to(s, same, ns);
	if (s->walk->writer->resume)
		s->walk->writer->resume(s->walk->self, event->depth - event->paths,
					event->depth, ns);
	for (size_t i = same; i < event->paths; i++)
		*vec_push(&s->open) = event->path[i];
}

/* -- streams ----------------------------------------------------------------------------------- */

static void take_event(struct stream *s, const struct trace_event *event)
{
	const struct walk *w = s->walk;
	bool inside = s->now_ns >= w->part->from_ns;
	if (inside)
		show(s, w->part->from_ns > w->part->start_ns ? w->part->from_ns : s->now_ns, false);
	switch (event->kind) {
	case TRACE_RESUME:
		resume(s, event, s->now_ns);
		if (inside && event->dropped && w->writer->dropped)
			w->writer->dropped(w->self, event->dropped, s->now_ns);
		break;
	case TRACE_ENTER:
		*vec_push(&s->open) = event->id;
		break;
	case TRACE_LEAVE:
		leave(s, s->now_ns);
		break;
	case TRACE_VALUE:
		if (inside && isfinite(event->value) && w->writer->value)
			w->writer->value(w->self, event->id, event->value, s->now_ns);
		break;
	case TRACE_STOP:
		close_to(s, 0, s->now_ns);
		if (w->writer->pause)
			w->writer->pause(w->self, s->now_ns);
		break;
	}
	if (inside)
		show(s, s->now_ns, event->kind == TRACE_ENTER);
}

/* Says which blocks of a slot must be read, in ticks. `from`: the begin of the last block that
 * begins before the interval; `to`: the begin of the first block that begins after the interval. */
struct span { uint64_t from, to; };

static struct span window_of(const struct trace_part *part, const struct process *process,
			     const struct trace *trace, uint32_t slot)
{
	struct span span = { 0, UINT64_MAX };
	for (size_t i = 0; i < trace->block.n; i++) {
		const struct trace_block_position *b = &trace->block.at[i];
		if (b->slot != slot)
			continue;
		int64_t ns = clock_ns(&process->clock, b->first);
		if (ns <= part->from_ns && b->first > span.from)
			span.from = b->first;
		if (ns > part->to_ns && b->first < span.to)
			span.to = b->first;
	}
	return span;
}

static void walk_stream(struct stream *s, struct trace *trace)
{
	const struct trace_part *part = s->walk->part;
	struct span span = window_of(part, s->process, trace, s->slot);
	struct trace_cursor cursor;
	struct trace_event event;
	trace_cursor_init(&cursor, trace, s->slot, span.from, span.to);
	for (bool over = false; !over && trace_next(&cursor, &event);) {
		int64_t ns = clock_ns(&s->process->clock, event.ticks);
		over = ns > part->to_ns;
		s->now_ns = over ? part->to_ns : ns > s->now_ns ? ns : s->now_ns;
		if (!over)
			take_event(s, &event);
	}
	trace_cursor_release(&cursor);
	int64_t end = s->process->end_ns < part->to_ns ? s->process->end_ns : part->to_ns;
	/* if no event was in the interval, some open regions may not be in the output yet */
	if (end >= part->from_ns)
		show(s, part->from_ns, false);
	close_to(s, 0, end > s->now_ns && end >= part->from_ns ? end : s->now_ns);
	vec_free(&s->open);
	if (s->walk->writer->end_stream)
		s->walk->writer->end_stream(s->walk->self);
}

/* -- processes --------------------------------------------------------------------------------- */

static bool has_slot(const struct trace_part *part, uint32_t slot)
{
	return part->thread < 0 || part->thread == slot;
}

static bool has_process(const struct trace_part *part, const struct process *process)
{
	return part->process < 0 || part->process == process->index;
}

static void walk_process(const struct walk *w, struct trace *trace, const struct process *process)
{
	struct trace_names names;
	uint32_t slot = UINT32_MAX;
	trace_names_read(&names, w->part->x, trace);
	w->writer->process(w->self, process, trace, &names);
	for (size_t i = 0; i < trace->block.n; i++) { /* blocks are sorted by slot */
		if (trace->block.at[i].slot == slot)
			continue;
		slot = trace->block.at[i].slot;
		if (!has_slot(w->part, slot))
			continue;
		struct stream stream = {
			.walk = w, .process = process, .slot = slot, .now_ns = INT64_MIN
		};
		w->writer->stream(w->self, slot);
		walk_stream(&stream, trace);
	}
	if (w->writer->end_process)
		w->writer->end_process(w->self);
	trace_names_release(&names);
}

/* -- counting events, and the whole walk ------------------------------------------------------- */

static uint64_t count_events(const struct trace_part *part, const struct traces *traces)
{
	uint64_t events = 0;
	for (size_t i = 0; i < traces->trace.n; i++) {
		const struct trace *t = &traces->trace.at[i];
		const struct process *process = trace_process(part->x, t);
		for (size_t k = 0; process && has_process(part, process) && k < t->block.n; k++) {
			const struct trace_block_position *b = &t->block.at[k];
			bool begins = clock_ns(&process->clock, b->first) <= part->to_ns,
			     lasts = b->last == 0 ||
				clock_ns(&process->clock, b->last) >= part->from_ns;
			events += has_slot(part, b->slot) && begins && lasts ? b->events : 0;
		}
	}
	return events;
}

struct trace_part trace_part_of(const struct experiment *x, int64_t from_ns, int64_t to_ns,
				int64_t process, int64_t thread)
{
	return (struct trace_part){
		.x = x,
		.start_ns = x->model.start_ns,
		.process = process,
		.thread = thread,
		.from_ns = clamp_add(x->model.start_ns, from_ns),
		.to_ns = to_ns < 0 ? INT64_MAX : clamp_add(x->model.start_ns, to_ns),
	};
}

uint64_t trace_walk(struct trace_part *part, struct traces *traces,
		    const struct trace_writer *writer, void *self)
{
	struct walk walk = { .part = part, .writer = writer, .self = self };
	part->events = count_events(part, traces);
	if (writer->start)
		writer->start(self, part);
	uint64_t unknown = 0; /* processes without a profile, which are left out */
	for (size_t i = 0; i < traces->trace.n; i++) {
		const struct process *process = trace_process(part->x, &traces->trace.at[i]);
		unknown += !process;
		if (process && has_process(part, process))
			walk_process(&walk, &traces->trace.at[i], process);
	}
	if (writer->end)
		writer->end(self);
	return unknown;
}

/* -- names for viewers ------------------------------------------------------------------------- */

char *trace_process_name(const struct process *process)
{
	const struct sis_profile_header *h = &process->profile.head;
	return mem_print("%s %" PRIu32 " (pid %" PRIu32 ")", h->mpi_rank >= 0 ? "rank" : "process",
			 process->index, h->pid);
}

enum { THREADS = 4096 /* per process; threads beyond that are not distinguished */ };

uint64_t trace_thread_number(const struct process *process, uint32_t slot)
{
	return (uint64_t)process->index * THREADS + slot + 1;
}
