/* SPDX-License-Identifier: BSD-3-Clause */
/* traced_pair.h - probes of a program in a process that traces: they do the work of pair.h, and put
 * one event. sampled_timing.h includes this file; it is never installed. The thread that runs the
 * probe executes it.
 *
 *     self->trace --> stream      next    address of the next event
 *                                 limit   address at which the block is full
 *                                 span    bytes from the block's first event to `limit`
 *                                 last    ticks of the last event
 *
 * The program's copy of sis__timing is SIS__TRACED, and its copy of sis__self points to the thread,
 * so that a probe finds its node as usual. sis__self itself points to the empty thread
 * (base/state.h). So a library's probes and the wrappers take the slow path, which puts their
 * events. The program's probes take the slow path if a block is full, if the trace is switched, or
 * if the event needs more than one word.
 *
 * The event is put before the current node changes. So if a block begins with this event, the block
 * names the activations that were open before it.
 */
#ifndef SIS_TRACED_PAIR_H
#define SIS_TRACED_PAIR_H

#pragma GCC system_header /* as in sis/probe.h, which includes this file */
#include "sis/probe_state.h"

#define SIS__TRACED 0x80000000u /* a value of sis__timing that is no N of SIS_TIMING=1/N */

/* The first members of struct sis_stream (output/trace/tracing.h). rtlib/output/trace/trace_state.c
 * asserts that the two agree. */
struct sis__stream {
	unsigned magic, slot;
	unsigned long long base;
	unsigned *next;
	unsigned long long filling, written, dropped;
	unsigned *limit; /* NULL: there is no block */
	unsigned long long span, last;
} SIS__MIRROR;

/* Every event reads this struct. It is written only when the trace is switched. */
struct sis__tracing {
	unsigned on;      /* enum sis_trace_on: 1 if the trace is on */
	unsigned regions; /* number of regions that switch the trace */
	unsigned long long deadline; /* ticks: when SIS_TRACE_WINDOW next begins or ends */
};

#pragma GCC visibility push(default)
extern struct sis__tracing sis__tracing;
/* These begin and end an activation whose event the fast path cannot put. `now` is the time that
 * the fast path has read. */
void sis__start_traced_slow(struct sis__thread *self, struct sis__node *node,
			    unsigned long long now);
void sis__end_traced_slow(struct sis__thread *self, struct sis__node *node, unsigned long long now);
void sis__near_traces(void); /* tells the runtime that the program's probes support SIS__TRACED */
#pragma GCC visibility pop

/* Whether there is room in the block. A signal handler may interrupt the thread between this test
 * and the event's last store, and put events of its own. If the block is still the same, the
 * interrupted event overwrites them. If the handler began another block, the next event finds that
 * `next` is outside of this block (output/trace/trace.c). */
SIS__INLINE int sis__stream_has_place(const struct sis__stream *stream)
{
	return (unsigned long)((char *)stream->limit - (char *)stream->next) - 1 < stream->span;
}

/* Whether the fast path may put an event into the stream now. */
SIS__INLINE int sis__stream_is_open(const struct sis__stream *stream, unsigned long long now)
{
	return sis__stream_has_place(stream) &&
	       now < __atomic_load_n(&sis__tracing.deadline, __ATOMIC_RELAXED) &&
	       __atomic_load_n(&sis__tracing.on, __ATOMIC_RELAXED) == 1 &&
	       __atomic_load_n(&sis__tracing.regions, __ATOMIC_RELAXED) == 0;
}

SIS__INLINE void sis__stream_put(struct sis__stream *stream, unsigned word, unsigned long long now)
{
	unsigned *next = stream->next;
	*next = word;
	stream->last = now;
	/* release: for readers of the ring */
	__atomic_store_n(&stream->next, next + 1, __ATOMIC_RELEASE);
}

/* These put an event of one word (schema/trace.h). They return 0 if they put nothing; then the slow
 * path must put the event. */
SIS__INLINE int sis__stream_put_enter(struct sis__stream *stream, unsigned id,
				      unsigned long long now)
{
	unsigned long long ticks = now - stream->last;
	if (__builtin_expect(!sis__stream_is_open(stream, now) || id >= 1u << 12 ||
			     ticks >= 1u << 18, 0))
		return 0;
	sis__stream_put(stream, (unsigned)ticks << 14 | id << 2 | 1, now);
	return 1;
}

SIS__INLINE int sis__stream_put_leave(struct sis__stream *stream, unsigned long long now)
{
	unsigned long long ticks = now - stream->last;
	if (__builtin_expect(!sis__stream_is_open(stream, now) || ticks >= 1u << 30, 0))
		return 0;
	sis__stream_put(stream, (unsigned)ticks << 2, now);
	return 1;
}

/* -- the probes -------------------------------------------------------------------------------- */

SIS__INLINE void sis__start_traced(struct sis__thread *self, struct sis__node *node)
{
	unsigned long long now = sis__tsc();
	if (__builtin_expect(!sis__stream_put_enter(self->trace, node->region, now), 0)) {
		sis__start_traced_slow(self, node, now);
		return;
	}
	self->current = node;
	node->start = self->stamp = now;
}

SIS__INLINE void sis__end_activation(struct sis__thread *self, struct sis__node *node,
				     unsigned long long now, unsigned long long ticks,
				     unsigned long long counted);

SIS__INLINE void sis__end_traced(struct sis__thread *self, struct sis__node *node)
{
	unsigned long long now = sis__tsc(), ticks = now - node->start;
	if (__builtin_expect(!sis__stream_put_leave(self->trace, now), 0))
		sis__end_traced_slow(self, node, now);
	else
		sis__end_activation(self, node, now, ticks, ticks);
}

#endif
