/* SPDX-License-Identifier: BSD-3-Clause */
/* trace.c - a thread's stream of events: begins, fills and finishes blocks. Called by the thread
 * that fills the slot, on its probes' slow paths, and at the end by the thread that ends the
 * process.
 *
 * The blocks of a stream form a ring. Only this file increments pub.filling, and only the thread
 * that writes blocks to the file increments pub.written:
 *
 *        written            filling
 *           v                  v
 *      [ full ][ full ][ full ][ being filled | next -> ][ free ] ...
 *
 * If no block is free, SIS_TRACE_POLICY says whether the thread waits, drops events until a block
 * is free, or overwrites the oldest block. A block that begins after dropped events says how many
 * events were dropped, and which activations are open at its begin.
 */
#include "base/config.h"
#include "base/futex.h"
#include "base/lock.h"
#include "base/state.h"
#include "output/trace/trace_segment.h"
#include "output/trace/tracing.h"

#include <errno.h>
#include <string.h>

enum {
	WAIT_NS = 20000000,
	WAITS = 150 /* if no block was written for three seconds, the writer is gone */
};

static bool overwrites(void)
{
	return sis__config.trace.policy == SIS_POLICY_OVERWRITE;
}

/* -- blocks ------------------------------------------------------------------------------------ */

static bool has_room(const struct sis_stream *stream)
{
	/* pairs with the store in write_stream (trace_file.c) */
	return overwrites() ||
	       stream->pub.filling - __atomic_load_n(&stream->pub.written, __ATOMIC_ACQUIRE) <
		       sis__trace_ring_blocks();
}

/* Whether the thread is confined, so that no thread will write its blocks. */
static bool is_without_writer(void)
{
	return sis__is_confined() && !sis__trace_writer_runs();
}

/* Waits until a block is written, or until no thread writes any more. Returns whether there is
 * room. */
static bool wait_for_room(struct sis_stream *stream)
{
	/* The futex waits on one half of `written`. If this is the low half, the futex notices each
	 * change. Otherwise WAIT_NS limits the wait. */
	const uint32_t *word = (const uint32_t *)&stream->pub.written;
	for (int waits = 0; waits < WAITS && !has_room(stream); waits++) {
		uint32_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);
		if (__atomic_load_n(&sis__tracing.on, __ATOMIC_RELAXED) == SIS_TRACE_OVER ||
		    is_without_writer())
			return false;
		/* pairs with the load in write_stream (trace_file.c) */
		__atomic_store_n(&stream->waiting, 1, __ATOMIC_SEQ_CST);
		if (!sis__trace_writer_runs())
			/* again, because another thread may have had the lock when this block was
			 * full */
			sis__trace_write();
		if (!has_room(stream))
			sis__futex_wait(word, seen, WAIT_NS);
		__atomic_store_n(&stream->waiting, 0, __ATOMIC_RELAXED);
	}
	return has_room(stream);
}

/* Notes the open regions without the root: their number, and the ids of the innermost
 * SIS_TRACE_PATH of them, in the order from outside to inside. */
static void name_path(struct sis_trace_block *block, const struct sis_thread *thread)
{
	uint32_t *path = (uint32_t *)(block + 1);
	struct sis_activation open = sis__innermost(thread);
	block->depth = 0;
	for (; open.node != thread->pub.root; open = sis__outer(thread, open))
		block->depth++;
	block->path = block->depth < SIS_TRACE_PATH ? block->depth : SIS_TRACE_PATH;
	open = sis__innermost(thread);
	for (uint32_t i = block->path; i-- > 0; open = sis__outer(thread, open))
		path[i] = sis_node_region(open.node);
}

/* The magic is written last, so that a reader of the ring finds only complete heads. */
static void begin_block(struct sis_thread *thread, struct sis_stream *stream, uint64_t now)
{
	struct sis_trace_block *block = sis__trace_block(stream, stream->pub.filling);
	/* if the block already has this serial, it is begun again and overwrites no older block */
	if (overwrites() && stream->pub.filling >= sis__trace_ring_blocks() &&
	    block->serial != stream->pub.filling)
		stream->overwritten += sis__trace_count(block) + block->dropped;
	__atomic_store_n(&block->magic, 0, __ATOMIC_RELEASE);
	block->slot = stream->pub.slot;
	block->serial = stream->pub.filling;
	block->first = now;
	block->dropped = stream->pub.dropped;
	block->used = block->events = 0;
	block->last = 0;
	block->overwritten = stream->overwritten;
	name_path(block, thread);
	stream->pub.dropped = 0;
	__atomic_store_n(&block->magic, SIS_TRACE_BLOCK_MAGIC, __ATOMIC_RELEASE);
	stream->block = block;
	stream->last = now;
	uint32_t *first = (uint32_t *)(block + 1) + block->path;
	stream->limit = (uint32_t *)((char *)block + sis__trace_block_bytes()) -
			SIS_TRACE_LONG_MOST;
	stream->span = (uint64_t)((char *)stream->limit - (char *)first);
	__atomic_store_n(&stream->pub.next, first, __ATOMIC_RELEASE);
}

/* After this, another thread may write the block to the file. */
static void finish_block(struct sis_stream *stream)
{
	struct sis_trace_block *block = stream->block;
	block->used = (uint32_t)((char *)stream->pub.next - (char *)block);
	block->last = stream->last;
	stream->block = NULL;
	stream->limit = NULL;
	__atomic_store_n(&stream->pub.next, NULL, __ATOMIC_RELEASE);
	/* pairs with the loads in write_stream and write_newest (trace_file.c) */
	__atomic_store_n(&stream->pub.filling, stream->pub.filling + 1, __ATOMIC_RELEASE);
	if (overwrites())
		return;
	if (sis__trace_writer_runs())
		sis__trace_writer_wake();
	else
		sis__trace_write();
}

/* Whether a signal handler interrupted an event and began this block, and the event was then put
 * into the block before (sis__stream_has_place). Then the content of this block is not known. */
static bool is_stale(const struct sis_stream *stream)
{
	return stream->block && (stream->pub.next < (uint32_t *)stream->block ||
				 stream->pub.next > stream->limit + SIS_TRACE_LONG_MOST);
}

/* Drops the block: the next event begins it again. One more event counts as dropped. */
static void give_block_up(struct sis_stream *stream)
{
	stream->pub.dropped = stream->block->dropped + 1;
	stream->block = NULL;
	stream->limit = NULL;
	__atomic_store_n(&stream->pub.next, NULL, __ATOMIC_RELEASE);
}

/* Makes room for an event. False: there is no room, and the event is dropped. */
static bool make_room(struct sis_thread *thread, struct sis_stream *stream, uint64_t now,
		      bool *took_time)
{
	if (sis__trace_has_place(stream))
		return true;
	*took_time = true;
	if (is_stale(stream))
		give_block_up(stream);
	else if (stream->block)
		finish_block(stream);
	if (!has_room(stream) &&
	    (sis__config.trace.policy != SIS_POLICY_BLOCK || !wait_for_room(stream)))
		return false;
	begin_block(thread, stream, now);
	return true;
}

/* -- events ------------------------------------------------------------------------------------ */

static void put_long(struct sis_stream *stream, enum sis_trace_long what, uint64_t now,
		     const uint32_t *more, uint32_t words)
{
	uint32_t *next = stream->pub.next;
	next[0] = SIS_TRACE_LONG | (uint32_t)what << 2 | (3 + words) << 8;
	next[1] = (uint32_t)now;
	next[2] = (uint32_t)(now >> 32);
	for (uint32_t i = 0; i < words; i++)
		next[3 + i] = more[i];
	stream->last = now;
	/* release: for readers of the ring */
	__atomic_store_n(&stream->pub.next, next + 3 + words, __ATOMIC_RELEASE);
}

static void pause_stream(struct sis_stream *stream, uint64_t now)
{
	stream->on = SIS_TRACE_OFF;
	if (is_stale(stream))
		give_block_up(stream);
	if (!stream->block)
		return;
	put_long(stream, SIS_TRACE_LONG_STOP, now, NULL, 0);
	finish_block(stream);
}

/* Brings the stream to the present state of the trace, and returns the stream if it takes an event
 * now. NULL: the trace is off, or the event is dropped. */
static struct sis_stream *stream_for(struct sis_thread *thread, uint64_t now, bool *took_time)
{
	struct sis_stream *stream = thread->trace;
	sis__trace_check_window(now);
	uint32_t on = __atomic_load_n(&sis__tracing.on, __ATOMIC_RELAXED);
	if (on == SIS_TRACE_OVER || (on == SIS_TRACE_OFF && stream->on == SIS_TRACE_OFF))
		return NULL;
	if (on == SIS_TRACE_OFF) {
		pause_stream(stream, now);
		return NULL;
	}
	if (stream == &sis__no_stream && sis__is_confined())
		return NULL; /* there are no streams for new threads */
	if (stream == &sis__no_stream)
		stream = sis__trace_stream(thread->pub.slot, sis__trace_writer_start);
	if (!stream) { /* reported; if the trace stayed on, each event would try again */
		sis__trace_writer_stop();
		sis_hand_trace_stop();
		return NULL;
	}
	thread->trace = stream;
	stream->on = SIS_TRACE_ON;
	if (make_room(thread, stream, now, took_time))
		return stream;
	stream->pub.dropped++;
	stream->all_dropped++;
	return NULL;
}

/* An event that becomes known late, such as the end of a wait, may be put after an event with a
 * later time. Then it gets this later time, since the times of a stream must not decrease. */
static void put_event(struct sis_stream *stream, enum sis_trace_long what, const uint32_t *more,
		      uint32_t words, uint64_t now)
{
	if ((int64_t)(now - stream->last) < 0)
		now = stream->last;
	uint64_t ticks = now - stream->last;
	if (what == SIS_TRACE_LONG_ENTER && more[0] < SIS_TRACE_ENTER_IDS &&
	    ticks < SIS_TRACE_ENTER_TICKS)
		sis__trace_put_word(stream, (uint32_t)ticks << 14 | more[0] << 2 | SIS_TRACE_ENTER,
				    now);
	else if (what == SIS_TRACE_LONG_LEAVE && ticks < SIS_TRACE_LEAVE_TICKS)
		sis__trace_put_word(stream, (uint32_t)ticks << 2 | SIS_TRACE_LEAVE, now);
	else
		put_long(stream, what, now, more, words);
}

/* Like put(), but changes blocks and streams, so signals are blocked. */
static bool put_slowly(struct sis_thread *thread, enum sis_trace_long what, const uint32_t *more,
		       uint32_t words, uint64_t now, bool moves)
{
	int saved = errno;
	bool took_time = false;
	sigset_t before;
	sis__guard_alone(&before);
	struct sis_stream *stream = stream_for(thread, now, &took_time);
	if (stream)
		put_event(stream, what, more, words, took_time && moves ? sis__ticks() : now);
	sis__unguard_alone(&before);
	errno = saved;
	return took_time;
}

/* Puts an event. Returns whether the block or the stream was changed, which takes time. If so, and
 * if `moves`, the event gets the time after the change. */
static bool put(struct sis_thread *thread, enum sis_trace_long what, const uint32_t *more,
		uint32_t words, uint64_t now, bool moves)
{
	struct sis_stream *stream = thread->trace;
	bool on = sis__trace_is_on(now);
	if (on && sis__trace_has_place(stream)) {
		put_event(stream, what, more, words, now);
		return false;
	}
	if (on && (sis__config.trace.policy == SIS_POLICY_DROP || is_without_writer()) &&
	    stream->on == SIS_TRACE_ON && !stream->block && !has_room(stream)) {
		stream->pub.dropped++;
		stream->all_dropped++;
		return false;
	}
	return put_slowly(thread, what, more, words, now, moves);
}

/* Whether there is nothing to do: no thread writes any more, or the trace is off, was off at the
 * last event, and does not begin now. The trace is off most of the time if a region or a signal
 * switches it. */
static bool is_quiet(const struct sis_thread *thread, uint64_t now)
{
	uint32_t on = __atomic_load_n(&sis__tracing.on, __ATOMIC_RELAXED);
	return on == SIS_TRACE_OVER ||
	       (on == SIS_TRACE_OFF && thread->trace->on == SIS_TRACE_OFF &&
		now < __atomic_load_n(&sis__tracing.deadline, __ATOMIC_RELAXED));
}

static bool put_activation(struct sis_thread *thread, enum sis_trace_long what, uint32_t id,
			   uint64_t now, bool moves)
{
	bool enters = what == SIS_TRACE_LONG_ENTER, took_time = false;
	uint32_t regions = __atomic_load_n(&sis__tracing.regions, __ATOMIC_RELAXED);
	if (enters && regions)
		sis__trace_region_enter(thread, id);
	if (!is_quiet(thread, now))
		took_time = put(thread, what, &id, enters, now, moves);
	if (!enters && regions)
		sis__trace_region_leave(thread);
	return took_time;
}

bool sis__trace_slow(struct sis_thread *thread, enum sis_trace_long what, uint32_t id, uint64_t now)
{
	return put_activation(thread, what, id, now, what == SIS_TRACE_LONG_ENTER);
}

void sis__trace_value(struct sis_thread *thread, uint32_t id, double value, uint64_t now)
{
	uint32_t more[3] = { id };
	memcpy(&more[1], &value, sizeof value);
	if (!is_quiet(thread, now))
		put(thread, SIS_TRACE_LONG_VALUE, more, 3, now, false);
}

/* If `now` is not 0, the event gets exactly this time, as in the profile, even if the change to the
 * next block took long. */
SIS_EXPORT uint64_t sis__trace_enter(struct sis_thread *thread, uint32_t id, uint64_t now)
{
	uint64_t when = now ? now : sis__ticks();
	if (SIS_LIKELY(sis__trace_put_enter_quickly(thread, id, when)))
		return 0;
	uint64_t began = sis__ticks();
	return put_activation(thread, SIS_TRACE_LONG_ENTER, id, when, !now) ? sis__ticks() - began
									    : 0;
}

SIS_EXPORT void sis__trace_leave(struct sis_thread *thread, uint64_t now)
{
	if (SIS_UNLIKELY(!sis__trace_put_leave_quickly(thread, now)))
		sis__trace_slow(thread, SIS_TRACE_LONG_LEAVE, sis_node_region(thread->pub.current),
				now);
}

/* -- the end ----------------------------------------------------------------------------------- */

/* Threads that still run may go on to fill their blocks, but these later events are not kept. */
void sis__trace_end(const struct sis_time_mark *end)
{
	if (!sis__config.trace.mode)
		return;
	sis__trace_signal_check();
	__atomic_store_n(&sis__tracing.on, SIS_TRACE_OVER, __ATOMIC_SEQ_CST);
	sis__trace_close(end);
	sis__trace_warn_losses();
}

void sis__trace_new_process(void)
{
	if (!sis__config.trace.mode)
		return;
	sis__trace_writer_new_process();
	sis__trace_file_new_process();
}
