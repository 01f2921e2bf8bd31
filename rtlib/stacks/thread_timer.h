/* SPDX-License-Identifier: BSD-3-Clause */
/* thread_timer.h - timers of the kernel that run with a thread's CPU time, and send it a signal. */
#ifndef SIS_THREAD_TIMER_H
#define SIS_THREAD_TIMER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* The shortest period that each signal can end. */
uint64_t sis__timer_least_ns(void);
/* A timer of the thread, which is of this process; it does not run yet. Its number, or -errno. */
int sis__timer_new(uint32_t tid, int number);
/* From now on the end of each period sends a signal, the first one at a random part of it. 0: none
 * does. */
void sis__timer_set(int timer, uint64_t period_ns);
void sis__timer_delete(int timer);
bool sis__timer_is(int timer);              /* the program has not deleted it */
bool sis__timer_sent(const siginfo_t *info); /* such a timer has sent it */

#pragma GCC visibility pop
#endif
