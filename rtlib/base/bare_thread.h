/* SPDX-License-Identifier: BSD-3-Clause */
/* bare_thread.h - a thread that libc does not know.
 *
 * Once libc has made a second thread, each fgetc and putc takes a lock, and malloc and free use
 * locked instructions, until the process ends. A program with one thread that reads bytes then
 * takes five times as long, and one that allocates much takes 10 % longer. A thread that clone
 * makes costs the program nothing of that. It needs no memory of malloc either, so it can be made
 * in a signal handler and inside of malloc.
 *
 * libc does not lock for such a thread. So it calls no function that shares memory with the
 * program's threads: malloc, stdio, the dynamic linker, pthreads. Strings and snprintf into memory
 * of its own are possible, and its locale is C. System calls are those of
 * libc/system_calls.c. Signals are blocked. It keeps the rights with which it began: setuid does
 * not reach it (libc/sandbox.c).
 */
#ifndef SIS_BARE_THREAD_H
#define SIS_BARE_THREAD_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* False: another processor or C library, or a sanitizer, which has to know each thread. */
bool sis__bare_thread_is_possible(void);
/* 0, or an error number: ENOTSUP, or no memory or thread. */
int sis__bare_thread_start(void *(*run)(void *));
void sis__bare_thread_new_process(void); /* in a forked child, which has no such thread */

#pragma GCC visibility pop
#endif
