/* SPDX-License-Identifier: BSD-3-Clause */
/* traced_pair.h - probes of a program in a process that traces: the fast path of pair.h, and one
 * event. sampled_timing.h includes it; never installed. The thread that runs the probe.
 *
 *     self->trace --> stream      next ----> the next event's word     span bytes below the limit
 *                                 limit ---> where the block is full   are the block's events
 *                                 last       ticks of the event before
 *
 * The program's copy of sis__timing is SIS__TRACED, and its copy of sis__self leads to the thread,
 * so that a probe finds its node like any other. Everything else finds that sis__self is the empty
 * thread (base/state.h): a library's probes and the wrappers take the slow path, which puts their
 * events. An event beyond the usual is put by the slow path, too: a block is full, the trace is
 * switched, the event needs more than one word.
 *
 * The event is put before the current node changes. So if a block begins with the event, it names
 * what was open before.
 */
#ifndef SIS_TRACED_PAIR_H
#define SIS_TRACED_PAIR_H

#pragma GCC system_header /* as sis/probe.h, which includes it */
#include "sis/probe_state.h"

#define SIS__TRACED 0x80000000u /* value of sis__timing; no N of SIS_TIMING=1/N */

/* The first members of struct sis_stream (trace/tracing.h), which asserts that they agree. */
struct sis__stream {
	unsigned magic, slot;
	unsigned long long base;
	unsigned *next;
	unsigned long long filling, written, dropped;
	unsigned *limit; /* NULL: there is no block */
	unsigned long long span, last;
} SIS__MIRROR;

/* Read by every event, written when something changes. */
struct sis__tracing {
	unsigned on;      /* enum sis_trace_on: 1 if the trace is on */
	unsigned regions; /* ids of regions that switch the trace; 0: none does */
	unsigned long long deadline; /* ticks: when the window next begins or ends */
};

#ifdef SIS__OF_PROGRAM
#define SIS__SINCE_TRACED __attribute__((__weak__)) /* an older runtime does not have it */
#else
#define SIS__SINCE_TRACED
#endif
#pragma GCC visibility push(default)
extern struct sis__tracing sis__tracing SIS__SINCE_TRACED;
/* Do the same with an event that the fast path cannot put. `now`: the clock, as it was read. */
SIS__SINCE_TRACED void sis__start_traced_slow(struct sis__thread *self, struct sis__node *node,
					      unsigned long long now);
SIS__SINCE_TRACED void sis__end_traced_slow(struct sis__thread *self, struct sis__node *node,
					    unsigned long long now);
SIS__SINCE_TRACED void sis__near_traces(void); /* the program's probes know SIS__TRACED */
#pragma GCC visibility pop

/* Whether there is room in the block. A signal handler may interrupt the thread between this test
 * and the event's last store, and put events of its own. The event then overwrites them, as long as
 * the block is the same. If the handler began another block, the next event finds that `next` is
 * outside of it (trace/trace.c). */
SIS__INLINE int sis__stream_has_place(const struct sis__stream *stream)
{
	return (unsigned long)((char *)stream->limit - (char *)stream->next) - 1 < stream->span;
}

/* Whether the stream takes an event now, without looking any further. */
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
	/* with readers of the ring */
	__atomic_store_n(&stream->next, next + 1, __ATOMIC_RELEASE);
}

/* These put an event of one word (schema/trace.h). 0: nothing was put, the slow path has to. */
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
