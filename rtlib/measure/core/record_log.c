/* SPDX-License-Identifier: BSD-3-Clause */
/* record_log.c - a thread's log of operations that may wait for other processing units. Called by
 * the thread that fills the slot.
 *
 * The caller gets a record of zeros and fills it. The chunk's `used` includes this record only when
 * the caller asks for the next record, so that a reader of the file never sees a half-filled one.
 *
 * The next pages are created by writing zeros to the file, one piece of several pages at a time.
 * Otherwise the first store to a page would create it, which takes two to five times as long. With
 * pieces of 64 KB a page takes about 1 us. With smaller pieces the time of the system call matters.
 * For larger pieces the kernel needs so much contiguous memory that it takes pages that were never
 * used before. These take 10 us each if a virtual machine has to get them from its host.
 */
#include "base/config.h"
#include "base/lock.h"
#include "output/profile/store.h"
#include "measure/core/record_log.h"

#include <string.h>
#include <sys/mman.h>

/* Most threads except the initial one have a single record: how long they lived. */
enum {
	RECORDS_FIRST = 64 << 10,
	RECORDS_FIRST_OF_OTHERS = 4 << 10,
	RECORDS_MOST = 4 << 20,
	PIECE_FIRST = 16 << 10,
	PIECE = 64 << 10
};

static uint64_t filled(const struct sis_thread *thread)
{
	return thread->records ? (uint64_t)(thread->record_next - (char *)(thread->records + 1))
			       : 0;
}

SIS_EXPORT void sis__record_commit(struct sis_thread *thread)
{
	if (thread->records)
		__atomic_store_n(&thread->records->used, filled(thread), __ATOMIC_RELEASE);
}

static char *chunk_end(const struct sis_thread *thread)
{
	return thread->records ? (char *)thread->records + thread->records->size : NULL;
}

static bool next_chunk(struct sis_thread *thread, uint64_t bytes)
{
	uint64_t first = thread->pub.slot == 0 ? RECORDS_FIRST : RECORDS_FIRST_OF_OTHERS;
	uint64_t size = thread->records ? thread->records->size * 2 : first;
	size = size > RECORDS_MOST ? RECORDS_MOST : size;
	if (size < bytes + sizeof(struct sis_chunk))
		size = bytes + sizeof(struct sis_chunk);
	struct sis_chunk *chunk = sis__chunk_new(SIS_CHUNK_RECORDS, thread->pub.slot,
						 size - sizeof *chunk);
	if (!chunk)
		return false;
	thread->record_before += filled(thread);
	thread->records = chunk;
	thread->record_next = (char *)(chunk + 1);
	thread->record_ready = (char *)chunk +
			       (size > SIS_CHUNK_READY ? SIS_CHUNK_READY : SIS_PAGE);
	/* the memory for packing is kept, also for the next thread of the slot */
	struct sis_record_place *place = thread->record_pack.place;
	if (!place)
		place = mmap(NULL, SIS_RECORD_SHAPES * sizeof *place, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (place != MAP_FAILED) {
		sis_record_pack_begin(&thread->record_pack, place);
		place->shape.node = sis__no_place.shape.node; /* for sis__record_due */
	}
	return true;
}

/* Creates the pages of the chunk's next piece if the ready pages have no room for `bytes`. */
static void make_ready(struct sis_thread *thread, uint64_t bytes)
{
	uint64_t piece = thread->record_before ? PIECE : PIECE_FIRST;
	uint64_t rest = (uint64_t)(chunk_end(thread) - thread->record_ready);
	if (thread->record_next + bytes <= thread->record_ready)
		return;
	piece = piece < bytes ? bytes + SIS_PAGE - bytes % SIS_PAGE : piece;
	piece = piece < rest ? piece : rest;
	sis__store_make_pages(thread->record_ready, piece);
	thread->record_ready += piece;
}

/* Makes room for `bytes` at record_next, if necessary in a new chunk. */
static __attribute__((noinline)) bool make_room(struct sis_thread *thread, uint64_t bytes)
{
	uint64_t most = sis__config.record_bytes;
	if (thread->record_before + filled(thread) + bytes > most)
		return false;
	sigset_t before;
	sis__guard_alone(&before);
	bool fits = (thread->records && thread->record_next + bytes <= chunk_end(thread)) ||
		    next_chunk(thread, bytes);
	if (fits)
		make_ready(thread, bytes);
	sis__unguard_alone(&before);
	if (!fits)
		return false;
	/* has_room calls this again at the end of the ready pages, or of the log */
	uint64_t left = most - thread->record_before - filled(thread);
	uint64_t ready = (uint64_t)(thread->record_ready - thread->record_next);
	thread->record_end = thread->record_next + (ready < left ? ready : left);
	return true;
}

/* A log that was full once stays full, so that each dropped record costs next to nothing, even if
 * the program runs on for hours. */
static bool has_room(struct sis_thread *thread, uint64_t bytes)
{
	if (SIS_LIKELY((uint64_t)(thread->record_end - thread->record_next) >= bytes))
		return true;
	if (thread->pub.dropped_records == 0 && make_room(thread, bytes))
		return true;
	thread->pub.dropped_records++;
	thread->record_end = thread->record_next;
	return false;
}

SIS_EXPORT struct sis_record *sis__record(struct sis_thread *thread, uint64_t payload)
{
	static const uint32_t pad = SIS_RECORD_PAD;
	sis__record_commit(thread);
	if (!has_room(thread, sizeof pad + sizeof(struct sis_record) + payload))
		return NULL;
	if ((uintptr_t)thread->record_next % _Alignof(struct sis_record) != 0) {
		memcpy(thread->record_next, &pad, sizeof pad);
		thread->record_next += sizeof pad;
	}
	struct sis_record *record = (struct sis_record *)(void *)thread->record_next;
	thread->record_next += sizeof *record + payload;
	return record;
}

static void put_whole(struct sis_thread *thread, const struct sis_record *record)
{
	/* the record may be the first of a new chunk, in which nothing is packed yet */
	struct sis_record *to = sis__record(thread, 0);
	if (SIS_UNLIKELY(!to))
		return;
	if (SIS_LIKELY(thread->record_pack.place))
		sis_record_pack_whole(&thread->record_pack, record, to);
	else
		*to = *record;
}

SIS_EXPORT void sis__record_put(struct sis_thread *thread, const struct sis_record *record)
{
	if (!has_room(thread, sis_form_bytes(SIS_FORM_STEP)))
		return;
	unsigned bytes = thread->record_pack.place ?
		sis_record_pack_short(&thread->record_pack, record, thread->record_next) : 0;
	if (bytes)
		thread->record_next += bytes;
	else
		put_whole(thread, record);
	sis__record_commit(thread);
}
