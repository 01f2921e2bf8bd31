/* record.c - a thread's log of operations that can wait for others. The thread that fills the slot.
 *
 * A record is given out zeroed and filled by its caller; the chunk's `used` counts it when the next one
 * is asked for, so that a reader of the running file sees no half-filled record.
 */
#include "core.h"

enum { RECORDS_FIRST = 64 << 10, RECORDS_MOST = 4 << 20 };

void sis__record_commit(struct sis_thread *thread)
{
	if (thread->records)
		__atomic_store_n(&thread->records->used, thread->record_fill, __ATOMIC_RELEASE);
}

static bool next_chunk(struct sis_thread *thread, uint64_t bytes)
{
	uint64_t size = thread->records ? thread->records->size * 2 : RECORDS_FIRST;
	size = size > RECORDS_MOST ? RECORDS_MOST : size;
	if (size < bytes + sizeof(struct sis_chunk))
		size = bytes + sizeof(struct sis_chunk);
	sis__guard();
	struct sis_chunk *chunk = sis__chunk_new(SIS_CHUNK_RECORDS, thread->pub.slot, size - sizeof *chunk);
	sis__unguard();
	if (!chunk)
		return false;
	thread->records = chunk;
	thread->record_fill = 0;
	return true;
}

SIS_EXPORT struct sis_record *sis__record(struct sis_thread *thread, uint64_t payload)
{
	uint64_t bytes = sizeof(struct sis_record) + payload;
	sis__record_commit(thread);
	bool full = thread->record_total + bytes > sis__config.record_bytes;
	if (!full && (!thread->records || thread->record_fill + bytes > thread->records->size - sizeof(struct sis_chunk)))
		full = !next_chunk(thread, bytes);
	if (full) {
		thread->pub.dropped_records++;
		return NULL;
	}
	struct sis_record *record = (struct sis_record *)((char *)sis__payload(thread->records) + thread->record_fill);
	thread->record_fill += bytes;
	thread->record_total += bytes;
	return record;
}
