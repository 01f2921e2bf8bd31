/* SPDX-License-Identifier: BSD-3-Clause */
/* tracing.h - what the parts of the trace share, and its hot path.
 *
 *   trace.c         a thread's stream: puts events into blocks; what happens without room
 *   trace_file.c    the two files (schema/trace.h): the memory of the ring, the writing of blocks
 *   trace_writer.c  the thread that writes blocks while the program goes on
 *   trace_switch.c  switches the trace: by the program, by a signal, in a window of time, for
 *                   activations of a region
 *
 * A thread of a traced process has a stream in its state (thread->trace), and sis__self points to
 * the empty thread, so that its probes take the slow path. A process without a trace pays nothing.
 * Until there is something to trace, the stream is sis__no_stream, which has no block.
 *
 * An event is put before the tree's current node changes. So if a block begins with the event, it
 * names what was open before.
 */
#ifndef SIS_RTLIB_TRACING_H
#define SIS_RTLIB_TRACING_H

#include "base/runtime.h"
#include "trace.h"

#pragma GCC visibility push(hidden)

enum sis_trace_on {
	SIS_TRACE_OFF,
	SIS_TRACE_ON,
	SIS_TRACE_OVER /* the process ends: no thread writes any more */
};

struct sis_stream { /* the head of a stream in the ring */
	struct sis_trace_stream pub;
	uint32_t *limit;   /* events begin below it; NULL: there is no block ... */
	uint64_t span;     /* ... the block's first one begins so many bytes below it */
	uint64_t last;     /* ticks of the event before */
	struct sis_trace_block *block; /* being filled; NULL: none */
	uint32_t on;       /* enum sis_trace_on, as of this stream's last event */
	uint32_t waiting;  /* the thread waits until `pub.written` changes */
	uint64_t all_dropped; /* events; reported at the end */
};
_Static_assert(sizeof(struct sis_stream) <= SIS_PAGE, "a stream's head is a page");

extern struct sis_trace { /* read by every event, written when something changes */
	uint32_t on;       /* enum sis_trace_on */
	uint32_t regions;  /* number of ids that SIS_TRACE_REGION has; 0: no region switches it */
	uint64_t deadline; /* ticks: when the window next begins or ends */
} sis__trace;
extern struct sis_stream sis__no_stream; /* of threads without a stream of their own */

/* -- trace.c ----------------------------------------------------------------------------------- */
/* Puts an event that the hot path could not put, at `now`: SIS_TRACE_LONG_ENTER or _LEAVE. True:
 * that took time, which is no work of the program; an activation then begins after it. */
bool sis__trace_slow(struct sis_thread *thread, enum sis_trace_long what, uint32_t id,
		     uint64_t now);
/* These put the event of an enter or a leave, before the current node changes; only in processes
 * that trace (thread->trace). `now` 0: the clock is read. Returns the ticks that it took if blocks
 * changed, else 0. */
SIS_EXPORT uint64_t sis__trace_enter(struct sis_thread *thread, uint32_t id, uint64_t now);
SIS_EXPORT void sis__trace_leave(struct sis_thread *thread, uint64_t now); /* of the current node */
void sis__trace_value(struct sis_thread *thread, uint32_t id, double value, uint64_t now);
/* by the thread that ends the process: writes the rest and removes the ring */
void sis__trace_end(const struct sis_time_mark *end);
void sis__trace_new_process(void);                     /* in a forked child */

/* Whether there is room in the block. A signal handler may interrupt the thread between this test
 * and the event's last store, and put events of its own. The event then overwrites them, as long as
 * the block is the same. If the handler began another block, the next event finds that pub.next is
 * outside of it (is_stale). */
static inline bool sis__trace_has_place(const struct sis_stream *stream)
{
	return (uint64_t)((char *)stream->limit - (char *)stream->pub.next) - 1 < stream->span;
}
static inline bool sis__trace_is_on(uint64_t now)
{
	return now < __atomic_load_n(&sis__trace.deadline, __ATOMIC_RELAXED) &&
	       __atomic_load_n(&sis__trace.on, __ATOMIC_RELAXED) == SIS_TRACE_ON;
}
/* Whether the stream takes an event now, without looking any further. */
static inline bool sis__trace_is_open(const struct sis_stream *stream, uint64_t now)
{
	return SIS_LIKELY(sis__trace_has_place(stream)) && sis__trace_is_on(now) &&
	       !__atomic_load_n(&sis__trace.regions, __ATOMIC_RELAXED);
}
static inline void sis__trace_put_word(struct sis_stream *stream, uint32_t word, uint64_t now)
{
	uint32_t *next = stream->pub.next;
	*next = word;
	stream->last = now;
	/* with readers of the ring */
	__atomic_store_n(&stream->pub.next, next + 1, __ATOMIC_RELEASE);
}
/* False: nothing was put; sis__trace_slow has to do it. */
static inline bool sis__trace_put_enter_quickly(struct sis_thread *thread, uint32_t id,
						uint64_t now)
{
	struct sis_stream *stream = thread->trace;
	uint64_t ticks = now - stream->last;
	if (SIS_UNLIKELY(!sis__trace_is_open(stream, now) || id >= SIS_TRACE_ENTER_IDS ||
			 ticks >= SIS_TRACE_ENTER_TICKS))
		return false;
	sis__trace_put_word(stream, (uint32_t)ticks << 14 | id << 2 | SIS_TRACE_ENTER, now);
	return true;
}
static inline bool sis__trace_put_leave_quickly(struct sis_thread *thread, uint64_t now)
{
	struct sis_stream *stream = thread->trace;
	uint64_t ticks = now - stream->last;
	if (SIS_UNLIKELY(!sis__trace_is_open(stream, now) || ticks >= SIS_TRACE_LEAVE_TICKS))
		return false;
	sis__trace_put_word(stream, (uint32_t)ticks << 2 | SIS_TRACE_LEAVE, now);
	return true;
}

/* -- trace_file.c ------------------------------------------------------------------------------ */
/* A stream for the slot, in the ring; the first one creates both files. NULL: that failed, which is
 * reported once. */
struct sis_stream *sis__trace_stream(uint32_t slot);
struct sis_trace_block *sis__trace_block(const struct sis_stream *stream, uint64_t serial);
uint32_t sis__trace_block_bytes(void);
uint32_t sis__trace_ring_blocks(void);
/* Writes the full blocks of all streams. Returns their number; 0 also if the lock is not
 * available. */
uint64_t sis__trace_write(void);
/* writes the rest and the last segment, and removes the ring */
bool sis__trace_close(const struct sis_time_mark *end);
/* `data` must stay valid */
void sis__trace_define(enum sis_trace_kind kind, uint32_t id, const void *data, uint64_t length);
void sis__trace_file_new_process(void);
void sis__trace_warn_losses(void);

/* -- trace_writer.c ---------------------------------------------------------------------------- */
void sis__trace_writer_start(void);
bool sis__trace_writer_runs(void);
void sis__trace_writer_wake(void);
void sis__trace_writer_stop(void);
void sis__trace_writer_new_process(void);

/* -- trace_switch.c ---------------------------------------------------------------------------- */
void sis__trace_begin(void); /* once there is a profile */
void sis__trace_check_window(uint64_t now); /* switches the trace where the window begins, ends */
void sis__trace_unit(const struct sis_profile_unit *unit); /* one more is registered */
/* Called before a region is entered, and after its leave was put: it may switch the trace. */
void sis__trace_region_enter(const struct sis_thread *thread, uint32_t id);
void sis__trace_region_leave(const struct sis_thread *thread);
void sis__trace_signal_check(void);
SIS_EXPORT void sis_hand_trace_start(void);
SIS_EXPORT void sis_hand_trace_stop(void);

#pragma GCC visibility pop
#endif
