/* SPDX-License-Identifier: BSD-3-Clause */
/* futex.h - waiting until a word changes, or for some time. The functions of libc that sleep may be
 * the program's own, and threads can be cancelled in them. */
#ifndef SIS_FUTEX_H
#define SIS_FUTEX_H

#include <stdint.h>

/* Of a thread that waits without a system call. */
static inline void sis__pause(void)
{
#if defined __x86_64__ || defined __i386__
	__builtin_ia32_pause();
#endif
}

#pragma GCC visibility push(hidden)

/* Waits until `*word` is no longer `seen`, or `ns` have passed. */
void sis__futex_wait(const uint32_t *word, uint32_t seen, uint64_t ns);
void sis__futex_wake(const uint32_t *word);
__attribute__((visibility("default"))) void sis__nap(uint64_t ns);

#pragma GCC visibility pop
#endif
