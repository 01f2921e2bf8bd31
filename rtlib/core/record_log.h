/* SPDX-License-Identifier: BSD-3-Clause */
/* record_log.h - the log of operations that may wait for others. The thread that fills the slot. */
#ifndef SIS_RECORD_LOG_H
#define SIS_RECORD_LOG_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

/* A record, and `payload` bytes behind it, all zero. NULL: the log is full (counted). The caller
 * fills it before it asks for the thread's next one. */
SIS_EXPORT struct sis_record *sis__record(struct sis_thread *thread, uint64_t payload);
/* Counts the last record now, not when the next one is asked for. */
SIS_EXPORT void sis__record_commit(struct sis_thread *thread);
/* Adds a complete record, packed: it is short if the call does the same as before. */
SIS_EXPORT void sis__record_put(struct sis_thread *thread, const struct sis_record *record);
/* The node of the record that is due; never NULL. */
static inline struct sis_node *sis__record_due(const struct sis_thread *thread)
{
	return (struct sis_node *)(uintptr_t)thread->record_pack.due->shape.node;
}
static inline void sis__record_was_put(struct sis_thread *thread, char *next)
{
	thread->record_next = next;
	__atomic_store_n(&thread->records->used, (uint64_t)(next - (char *)(thread->records + 1)),
			 __ATOMIC_RELEASE); /* with readers of the running file */
}
/* The same, if it is the record that is due; false: nothing has changed. Inline, so that a wrapper
 * keeps its fields in registers. */
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
/* The same in two steps: the first looks at what is due, the second adds it when the call is
 * over. */
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
