/* SPDX-License-Identifier: BSD-3-Clause */
/* thread_timer.h - timers of the kernel that count a thread's CPU time, and send the thread a
 * signal. */
#ifndef SIS_THREAD_TIMER_H
#define SIS_THREAD_TIMER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* The shortest period with one signal for each period. */
uint64_t sis__timer_least_ns(void);
/* Makes a timer for a thread of this process; the timer does not run yet. `number`: the signal's.
 * Returns the timer's number, or -errno. */
int sis__timer_new(uint32_t tid, int number);
/* From now on the timer sends a signal at the end of each period; the first signal comes after a
 * random part of a period. If period_ns is 0, it sends no signals. */
void sis__timer_set(int timer, uint64_t period_ns);
void sis__timer_once(int timer, uint64_t ns); /* it sends one signal, after this time */
void sis__timer_delete(int timer);
bool sis__timer_is(int timer);              /* the timer exists: the program has not deleted it */
bool sis__timer_sent(const siginfo_t *info); /* whether such a timer has sent the signal */

#pragma GCC visibility pop
#endif
