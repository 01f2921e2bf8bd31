/* SPDX-License-Identifier: BSD-3-Clause */
/* sampler.h - looks at the current node of each thread at random times, from a thread of its own.
 *
 *      who is sampled    each thread that fills a slot (base/slot_table.h)
 *      a sample          struct sis_sample: the thread, its current node, its CPU time since its
 *                        last sample
 *      subscribers       functions that get each sample of a round, and then the end of the round
 *
 * There is one sampler in a process, whatever number of subscribers it has. It runs no code in the
 * program's threads and sends no signals.
 */
#ifndef SIS_SAMPLER_H
#define SIS_SAMPLER_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

struct sis_sample {
	const struct sis_thread *thread;
	struct sis_node *node; /* the innermost open one */
	uint64_t ticks;        /* when */
	/* since its last sample; 0: this is the first one of the thread that fills the slot now */
	uint64_t since;        /* ticks, for which this node stands */
	uint64_t cpu_ns;       /* its CPU time */
};

struct sis_subscriber {
	void (*sample)(const struct sis_sample *sample); /* NULL: not wanted */
	void (*round)(uint64_t ticks); /* after all samples of one moment; NULL: not wanted */
};

/* One thread at a time. The struct stays the caller's, and is not copied. Its functions do what a
 * bare thread may do (base/bare_thread.h). */
void sis__sampler_subscribe(const struct sis_subscriber *subscriber);
/* A subscriber calls functions that a bare thread may not: the thread will be one of pthreads. */
void sis__sampler_needs_libc(void);
/* Starts the thread unless it runs; false: it cannot be created. `rate`: rounds in a second; 0:
 * 1000, or 100 if the process may use one processor only. Any thread. */
bool sis__sampler_start(unsigned rate);
/* Whether starting it calls malloc, so that it cannot be started inside of malloc. */
bool sis__sampler_needs_malloc(void);
/* Sets the rate, but not above the rate that 0 means. Subscribers call this. */
void sis__sampler_slow_down(unsigned rate);
/* The thread ends soon, so that the process can end with the program's last thread. */
void sis__sampler_stop(void);
/* The same, and the thread is not started again. Does not wait: a round that has begun goes on. */
void sis__sampler_end(void);
/* The same, and waits until the thread is gone, for calls that fail in a process with several
 * threads. */
void sis__sampler_leave(void);
/* Ends the sampler before the program changes its rights, if it is a bare thread: the change would
 * not reach it. True: the thread is gone, and the caller calls sis__sampler_resume afterwards. */
bool sis__sampler_pause(void);
void sis__sampler_resume(void);
void sis__sampler_new_process(void); /* in a forked child: it has no such thread */

#pragma GCC visibility pop
#endif
