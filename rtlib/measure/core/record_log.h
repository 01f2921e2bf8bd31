/* SPDX-License-Identifier: BSD-3-Clause */
/* record_log.h - the log of operations that may wait for other processing units. Called by the
 * thread that fills the slot. */
#ifndef SIS_RECORD_LOG_H
#define SIS_RECORD_LOG_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

/* Returns a record of zeros with `payload` bytes of zeros behind it. NULL: the log is full, which
 * is counted. The caller fills the record before it asks for the thread's next record. */
SIS_EXPORT struct sis_record *sis__record(struct sis_thread *thread, uint64_t payload);
/* Adds the last record to the chunk's `used` now, and not only when the caller asks for the next
 * record. */
SIS_EXPORT void sis__record_commit(struct sis_thread *thread);
/* Adds a complete record in packed form. The packed record is short if the call does the same as an
 * earlier call. */
SIS_EXPORT void sis__record_put(struct sis_thread *thread, const struct sis_record *record);
/* Returns the node of the record that is due. This is the record that is expected next, because the
 * thread repeats a sequence of calls. Never NULL. */
static inline struct sis_node *sis__record_due(const struct sis_thread *thread)
{
	return (struct sis_node *)(uintptr_t)thread->record_pack.due->shape.node;
}
static inline void sis__record_was_put(struct sis_thread *thread, char *next)
{
	thread->record_next = next;
	__atomic_store_n(&thread->records->used, (uint64_t)(next - (char *)(thread->records + 1)),
			 __ATOMIC_RELEASE); /* for readers of the running file */
}
/* Does the same as sis__record_put if this is the record that is due. False: it is another record,
 * or there is no room, and nothing was added. Inline, so that a wrapper keeps the record's fields
 * in registers. */
static inline __attribute__((always_inline)) bool
sis__record_put_due(struct sis_thread *thread, uint64_t enter, uint64_t exit,
		    struct sis_record_shape shape)
{
	char *next = thread->record_next;
	if (SIS_UNLIKELY((uint64_t)(thread->record_end - next) < sis_form_bytes(SIS_FORM_DUE)) ||
	    SIS_UNLIKELY(!sis_record_pack_due(&thread->record_pack, enter, exit, shape, next)))
		return false;
	sis__record_was_put(thread, next + sis_form_bytes(SIS_FORM_DUE));
	return true;
}
/* These two do the same in two steps. The first finds out which record is due; the second adds this
 * record when the call is over. */
static inline struct sis_record_expected sis__record_expect(const struct sis_thread *thread,
							    uint64_t enter)
{
	uint64_t room = (uint64_t)(thread->record_end - thread->record_next);
	bool fits = room >= sis_form_bytes(SIS_FORM_DUE);
	return SIS_LIKELY(fits) ?
		       sis_record_expect(&thread->record_pack, enter, thread->record_next) :
		       (struct sis_record_expected){ .place = NULL };
}
static inline __attribute__((always_inline)) bool
sis__record_put_expected(struct sis_thread *thread, const struct sis_record_expected *expected,
			 uint64_t exit)
{
	char *next = thread->record_next;
	if (SIS_UNLIKELY(next != expected->out) ||
	    SIS_UNLIKELY(!sis_record_pack_expected(&thread->record_pack, expected, exit)))
		return false;
	sis__record_was_put(thread, next + sis_form_bytes(SIS_FORM_DUE));
	return true;
}

#pragma GCC visibility pop
#endif
