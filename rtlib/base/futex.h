/* SPDX-License-Identifier: BSD-3-Clause */
/* futex.h - waiting until a word changes, or for some time. libc's functions that sleep are not
 * used, because the program may replace these functions, and a thread can be cancelled in them. */
#ifndef SIS_FUTEX_H
#define SIS_FUTEX_H

#include <stdint.h>

/* Called in the loop of a thread that waits without a system call. */
static inline void sis__pause(void)
{
#if defined __x86_64__ || defined __i386__
	__builtin_ia32_pause();
#endif
}

#pragma GCC visibility push(hidden)

/* Waits until `*word` differs from `seen`, or `ns` nanoseconds have passed. */
void sis__futex_wait(const uint32_t *word, uint32_t seen, uint64_t ns);
void sis__futex_wake(const uint32_t *word);
__attribute__((visibility("default"))) void sis__nap(uint64_t ns);

#pragma GCC visibility pop
#endif
