/* SPDX-License-Identifier: BSD-3-Clause */
/* writing.h - how a thread that stops the samples waits for one that writes them.
 *
 *      the writer       writing = true, then reads `active`; if it is false, nothing is written
 *      the other thread active = false, then waits until `writing` is false
 *
 * Both are sequentially consistent. So either the writer sees that the samples have stopped, or the
 * other thread sees that the writer writes. */
#ifndef SIS_WRITING_H
#define SIS_WRITING_H

#include "base/futex.h"

#include <stdbool.h>

/* False: nothing may be written. */
static inline bool sis__writing_begin(bool *writing, const bool *active)
{
	__atomic_store_n(writing, true, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(active, __ATOMIC_SEQ_CST))
		return true;
	__atomic_store_n(writing, false, __ATOMIC_RELEASE);
	return false;
}

/* Release: with sis__writing_wait, after which nothing is written. */
static inline void sis__writing_end(bool *writing)
{
	__atomic_store_n(writing, false, __ATOMIC_RELEASE);
}

/* The writer may have been without a processor since it began. The wait is bounded, because the
 * writer may be gone. LIMIT: if the writer is without a processor for longer (half a second or
 * more), it goes on writing afterwards, and a chunk has a wrong checksum. */
static inline void sis__writing_wait(const bool *writing)
{
	enum { TRIES = 10000 };
	for (int tries = 0; tries < TRIES && __atomic_load_n(writing, __ATOMIC_SEQ_CST); tries++)
		sis__nap(10000);
}

#endif
