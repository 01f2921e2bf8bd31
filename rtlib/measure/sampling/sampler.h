/* SPDX-License-Identifier: BSD-3-Clause */
/* sampler.h - looks at the current node of each thread at random times, from a thread of its own.
 *
 *      who is sampled    each thread that fills a slot (base/slot_table.h)
 *      a sample          struct sis_sample: the thread, its current node, its CPU time since its
 *                        last sample
 *      subscribers       functions that get each sample of a round, and then the end of the round
 *
 * There is one sampler in a process, for all subscribers. It runs no code in the program's threads
 * and sends no signals.
 */
#ifndef SIS_SAMPLER_H
#define SIS_SAMPLER_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

struct sis_sample {
	const struct sis_thread *thread;
	struct sis_node *node; /* the thread's current node */
	uint64_t ticks;        /* the time of the sample */
	/* Since the last sample of this thread; 0: this is the first sample of the thread that
	 * fills the slot now. */
	uint64_t since;        /* ticks, which count for this node */
	uint64_t cpu_ns;       /* CPU time of the thread */
};

struct sis_subscriber {
	void (*sample)(const struct sis_sample *sample); /* NULL: not wanted */
	void (*round)(uint64_t ticks); /* after all samples of one moment; NULL: not wanted */
};

/* Only one thread at a time calls this. The struct is not copied, so it must stay valid. Its
 * functions do only what a bare thread may do (base/bare_thread.h). */
void sis__sampler_subscribe(const struct sis_subscriber *subscriber);
/* Called by a subscriber that needs functions that a bare thread must not call. Then the sampler
 * will be a thread of pthreads. */
void sis__sampler_needs_libc(void);
/* Starts the sampler unless it runs. False: its thread cannot be created, or must not be started
 * again. `rate` is the number of rounds in a second. 0: 1000, or 100 if the process may use only
 * one processor. Any thread may call this. */
bool sis__sampler_start(unsigned rate);
/* Whether starting the sampler calls malloc. Then it cannot be started inside malloc. */
bool sis__sampler_needs_malloc(void);
/* Sets the rate, but at most to the default rate. Subscribers call this. */
void sis__sampler_slow_down(unsigned rate);
/* Tells the sampler to end soon, so that the process can end with the program's last thread. */
void sis__sampler_stop(void);
/* Does the same, and the sampler is never started again. Does not wait: a round that has begun goes
 * on. */
void sis__sampler_end(void);
/* Does the same, and waits until the thread is gone. For system calls that fail in a process with
 * several threads. */
void sis__sampler_leave(void);
/* Called before the program changes its rights. Ends the sampler if it is a bare thread, because
 * libc would not change the rights of such a thread. True: the thread is gone, and the caller calls
 * sis__sampler_resume afterwards. */
bool sis__sampler_pause(void);
void sis__sampler_resume(void);
void sis__sampler_new_process(void); /* in a forked child: it has no such thread */

#pragma GCC visibility pop
#endif
