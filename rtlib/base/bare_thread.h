/* SPDX-License-Identifier: BSD-3-Clause */
/* bare_thread.h - a thread that libc does not know.
 *
 * When libc makes a second thread, it changes until the process ends: each fgetc and putc takes a
 * lock, and malloc and free use locked instructions. A program with one thread that reads bytes
 * then takes five times as long. A program that allocates much takes 10 % longer. A thread that
 * clone makes does not have these costs. Such a thread is made without malloc, and so also in a
 * signal handler and inside of malloc.
 *
 * libc does not lock for a bare thread. So the thread calls no function that shares memory with the
 * program's threads: malloc, stdio, the dynamic linker, pthreads. A bare thread may call the
 * functions of string.h, and snprintf into its own memory. Its locale is C. It makes system calls
 * by the functions in adapters/libc/system_calls.c. All signals are blocked in it. A bare thread
 * keeps the user and groups with which it began, because setuid does not change those of a bare
 * thread (adapters/libc/sandbox.c).
 */
#ifndef SIS_BARE_THREAD_H
#define SIS_BARE_THREAD_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* Returns false on processors other than x86-64, with another C library than glibc, or with a
 * sanitizer, which has to know each thread. */
bool sis__bare_thread_is_possible(void);
/* Whether the runtime may make a thread of any kind. If few processes are allowed (ulimit -u), it
 * may not: its threads count, too, and the program's own thread or child might fail. */
bool sis__thread_is_allowed(void);
/* Returns 0 or an error number. ENOTSUP: bare threads are not possible. EAGAIN: no thread is
 * allowed. Others: the memory or the thread could not be made. */
int sis__bare_thread_start(void *(*run)(void *));
void sis__bare_thread_new_process(void); /* in a forked child: it has no bare thread */

#pragma GCC visibility pop
#endif
