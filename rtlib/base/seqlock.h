/* SPDX-License-Identifier: BSD-3-Clause */
/* seqlock.h - fields that one thread writes and others read, without a lock.
 *
 *     writer   version odd, release fence, fields, version even (release)
 *     reader   version (acquire), fields, acquire fence, version again
 *
 * Fields and version are relaxed atomics (SIS_GET, SIS_SET). The fields that a reader got are from
 * the same write if the version is even, and did not change while they were read. The two fences
 * pair with each other: a reader that gets one new field also sees the odd version, which the
 * writer stored before the fields. Without the writer's fence a processor such as ARM may store a
 * field first, and a reader may get old and new fields mixed.
 */
#ifndef SIS_RTLIB_SEQLOCK_H
#define SIS_RTLIB_SEQLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define SIS_GET(field) __atomic_load_n(&(field), __ATOMIC_RELAXED)
#define SIS_SET(field, value) __atomic_store_n(&(field), (value), __ATOMIC_RELAXED)

/* For fields with a single writer. Returns the argument `before` of sis__seqlock_write_end. */
static inline uint64_t sis__seqlock_write_begin(uint64_t *version)
{
	uint64_t before = SIS_GET(*version);
	SIS_SET(*version, before + 1);
	__atomic_thread_fence(__ATOMIC_RELEASE); /* pairs with sis__seqlock_read_end */
	return before;
}

/* For fields with several writers. Returns false if another writer is at work. */
static inline bool sis__seqlock_try_write(uint64_t *version, uint64_t *before)
{
	*before = SIS_GET(*version);
	if (*before % 2 || !__atomic_compare_exchange_n(version, before, *before + 1, false,
							__ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return false;
	__atomic_thread_fence(__ATOMIC_RELEASE); /* pairs with sis__seqlock_read_end */
	return true;
}

static inline void sis__seqlock_write_end(uint64_t *version, uint64_t before)
{
	/* pairs with sis__seqlock_read_begin */
	__atomic_store_n(version, before + 2, __ATOMIC_RELEASE);
}

static inline uint64_t sis__seqlock_read_begin(const uint64_t *version)
{
	return __atomic_load_n(version, __ATOMIC_ACQUIRE); /* pairs with sis__seqlock_write_end */
}

/* Whether the fields that were read since sis__seqlock_read_begin are from the same write. */
static inline bool sis__seqlock_read_end(const uint64_t *version, uint64_t begin)
{
	__atomic_thread_fence(__ATOMIC_ACQUIRE); /* pairs with the fences of writers */
	return begin % 2 == 0 && SIS_GET(*version) == begin;
}

#endif
