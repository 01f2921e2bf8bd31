/* SPDX-License-Identifier: BSD-3-Clause */
/* writing.h - how a thread that stops the samples waits for a thread that writes a sample.
 *
 *      the writer       writing = true, then reads `active`; if it is false, nothing is written
 *      the other thread active = false, then waits until `writing` is false
 *
 * All these accesses are sequentially consistent. So the writer sees that the samples have stopped,
 * or the other thread sees that the writer writes. */
#ifndef SIS_WRITING_H
#define SIS_WRITING_H

#include "base/futex.h"

#include <stdbool.h>

/* Returns false if the samples have stopped, so that nothing may be written. */
static inline bool sis__writing_begin(bool *writing, const bool *active)
{
	__atomic_store_n(writing, true, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(active, __ATOMIC_SEQ_CST))
		return true;
	__atomic_store_n(writing, false, __ATOMIC_RELEASE);
	return false;
}

/* The release pairs with sis__writing_wait, after which nothing is written. */
static inline void sis__writing_end(bool *writing)
{
	__atomic_store_n(writing, false, __ATOMIC_RELEASE);
}

/* Waits for the writer, which may have no processor at the moment. The wait is bounded, because the
 * writer may have ended. LIMIT: if the writer has no processor for longer than this wait (half a
 * second or more), it goes on writing after the wait, and a chunk gets a wrong checksum. */
static inline void sis__writing_wait(const bool *writing)
{
	enum { TRIES = 10000 };
	for (int tries = 0; tries < TRIES && __atomic_load_n(writing, __ATOMIC_SEQ_CST); tries++)
		sis__nap(10000);
}

#endif
