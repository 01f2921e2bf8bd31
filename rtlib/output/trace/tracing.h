/* SPDX-License-Identifier: BSD-3-Clause */
/* tracing.h - data and functions that the parts of the trace share, and the trace's hot path.
 *
 *   trace.c         a thread's stream: puts events into blocks; decides what happens if there is no
 *                   room
 *   trace_file.c    the two files (schema/trace.h): the memory of the ring, the blocks to write
 *   trace_segment.c adds segments to the trace's file; counts events that could not be added
 *   trace_writer.c  the thread that writes blocks while the program goes on
 *   trace_switch.c  switches the trace: when the program asks, by a signal, for a time
 *                   (SIS_TRACE_WINDOW), for activations of a region
 *
 * A thread of a process that traces has a stream in its state (thread->trace), and sis__self points
 * to the empty thread. So all probes take the slow path, except the program's own
 * (sis/traced_pair.h). A process without a trace pays nothing. Until a thread puts its first event,
 * its stream is sis__no_stream, which has no block.
 *
 * An event is put before the tree's current node changes. So if a block begins with this event, the
 * block names the activations that were open before it.
 */
#ifndef SIS_RTLIB_TRACING_H
#define SIS_RTLIB_TRACING_H

#include "base/runtime.h"
#include "trace.h"

#pragma GCC visibility push(hidden)

enum sis_trace_on { /* values of sis__tracing.on */
	SIS_TRACE_OFF,
	SIS_TRACE_ON,
	SIS_TRACE_OVER /* the process ends: no thread writes any more */
};

struct sis_stream { /* the head of a thread's stream in the ring */
	struct sis_trace_stream pub;
	uint32_t *limit;   /* events begin below this address; NULL: there is no block */
	uint64_t span;     /* the distance from the block's first event to `limit`, in bytes */
	uint64_t last;     /* ticks of the last event */
	struct sis_trace_block *block; /* the block being filled; NULL: none */
	uint32_t on;       /* enum sis_trace_on at this stream's last event */
	uint32_t waiting;  /* the thread waits until `pub.written` changes */
	uint64_t all_dropped; /* number of all dropped events, for a report at the end */
	/* number of events in overwritten blocks, and of events dropped before these blocks */
	uint64_t overwritten;
};
_Static_assert(sizeof(struct sis_stream) <= SIS_PAGE, "a stream's head is a page");

extern struct sis_stream sis__no_stream; /* for threads without a stream of their own */

/* -- trace.c ----------------------------------------------------------------------------------- */
/* Puts an event that the hot path could not put, at `now`: SIS_TRACE_LONG_ENTER or _LEAVE. True:
 * this took time, which is no work of the program. If the event is an enter, the activation then
 * begins after this time. */
bool sis__trace_slow(struct sis_thread *thread, enum sis_trace_long what, uint32_t id,
		     uint64_t now);
/* These put the event of an enter or a leave, before the current node changes. Called only in
 * processes that trace (thread->trace). sis__trace_enter reads the clock if `now` is 0. It returns
 * the ticks that a change to the next block took; 0: the block is the same. */
SIS_EXPORT uint64_t sis__trace_enter(struct sis_thread *thread, uint32_t id, uint64_t now);
SIS_EXPORT void sis__trace_leave(struct sis_thread *thread, uint64_t now); /* of the current node */
void sis__trace_value(struct sis_thread *thread, uint32_t id, double value, uint64_t now);
/* Called by the thread that ends the process: writes the remaining blocks and removes the ring. */
void sis__trace_end(const struct sis_time_mark *end);
void sis__trace_new_process(void);                     /* in a forked child */

/* The hot path is the same as that of the probes (sis/traced_pair.h). */
static inline struct sis__stream *sis__trace_stream_of(struct sis_stream *stream)
{
	return (struct sis__stream *)stream;
}
static inline bool sis__trace_has_place(const struct sis_stream *stream)
{
	return sis__stream_has_place((const struct sis__stream *)stream);
}
static inline bool sis__trace_is_on(uint64_t now)
{
	return now < __atomic_load_n(&sis__tracing.deadline, __ATOMIC_RELAXED) &&
	       __atomic_load_n(&sis__tracing.on, __ATOMIC_RELAXED) == SIS_TRACE_ON;
}
static inline void sis__trace_put_word(struct sis_stream *stream, uint32_t word, uint64_t now)
{
	sis__stream_put(sis__trace_stream_of(stream), word, now);
}
/* False: nothing was put, and sis__trace_slow must put the event. */
static inline bool sis__trace_put_enter_quickly(struct sis_thread *thread, uint32_t id,
						uint64_t now)
{
	return sis__stream_put_enter(sis__trace_stream_of(thread->trace), id, now);
}
static inline bool sis__trace_put_leave_quickly(struct sis_thread *thread, uint64_t now)
{
	return sis__stream_put_leave(sis__trace_stream_of(thread->trace), now);
}

/* -- trace_file.c ------------------------------------------------------------------------------ */
/* Makes a stream for the slot in the ring. The first call starts the writer and creates both files.
 * NULL: this failed, which is reported once. */
struct sis_stream *sis__trace_stream(uint32_t slot, enum sis_trace_writer (*start_writer)(void));
struct sis_trace_block *sis__trace_block(const struct sis_stream *stream, uint64_t serial);
uint32_t sis__trace_block_bytes(void);
uint32_t sis__trace_ring_blocks(void);
/* Writes the full blocks of all streams. Returns the number of blocks; 0 also if the lock is not
 * available. */
uint64_t sis__trace_write(void);
/* Writes the remaining blocks and the last segment, and removes the ring. */
bool sis__trace_close(const struct sis_time_mark *end);
/* Adds a definition, which is written to the file before the next block. `data` must stay valid. */
void sis__trace_define(enum sis_trace_kind kind, uint32_t id, const void *data, uint64_t length);
void sis__trace_file_new_process(void);
void sis__trace_warn_losses(void);

/* -- trace_writer.c ---------------------------------------------------------------------------- */
/* Chooses the writer. If this is the asynchronous writer, starts its thread. If the thread cannot
 * be started, each thread of the program writes its own blocks. */
enum sis_trace_writer sis__trace_writer_start(void);
bool sis__trace_writer_runs(void);
void sis__trace_writer_wake(void);
void sis__trace_writer_stop(void);
/* These are like sis__sampler_pause and sis__sampler_resume. During the pause each thread writes
 * its own blocks. */
bool sis__trace_writer_pause(void);
void sis__trace_writer_resume(void);
void sis__trace_writer_new_process(void);

/* -- trace_switch.c ---------------------------------------------------------------------------- */
void sis__trace_begin(void); /* when there is a profile */
void sis__trace_check_window(uint64_t now); /* switches the trace by SIS_TRACE_WINDOW */
void sis__trace_unit(const struct sis_profile_unit *unit); /* called when a unit is registered */
/* Called before a region is entered, and after the event of its leave was put. If the region is
 * that of SIS_TRACE_REGION, these switch the trace. */
void sis__trace_region_enter(const struct sis_thread *thread, uint32_t id);
void sis__trace_region_leave(const struct sis_thread *thread);
void sis__trace_signal_check(void);
void sis__trace_stop_for(uint32_t cause); /* stops the trace for a rule (enum sis_cause) */
SIS_EXPORT void sis_hand_trace_start(void);
SIS_EXPORT void sis_hand_trace_stop(void);

#pragma GCC visibility pop
#endif
