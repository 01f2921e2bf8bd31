/* SPDX-License-Identifier: BSD-3-Clause */
/* thread_clock.h - the clock of a thread's CPU time. Any thread of the same process may read it. */
#ifndef SIS_THREAD_CLOCK_H
#define SIS_THREAD_CLOCK_H

#include <stdint.h>
#include <time.h>

/* The numbers that the kernel gives the clocks of threads (linux/posix-timers_types.h). */
static inline clockid_t sis__thread_clock(uint32_t tid)
{
	enum { PER_THREAD = 4, SCHEDULED = 2 };
	return (clockid_t)(~tid << 3 | PER_THREAD | SCHEDULED);
}

#endif
