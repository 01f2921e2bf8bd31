/* SPDX-License-Identifier: BSD-3-Clause */
/* samples.h - samples of call stacks, for blame (SIS_BLAME). The format: schema/stacks.h. */
#ifndef SIS_RT_SAMPLES_H
#define SIS_RT_SAMPLES_H

#include "profile.h"

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* When the profile has been opened: as SIS_BLAME says. */
void sis__stacks_begin(void);
/* The calling thread fills a slot from now on, or ends. */
struct sis_thread;
void sis__stacks_thread_begin(struct sis_thread *thread);
void sis__stacks_thread_end(void);
void sis__stacks_thread_confine(void); /* no signal comes to it any more (process/confine.c) */
/* The calling thread is a member of a team. It is sampled from now on. (The sampler would find it
 * later: it looks when the number of threads changes, and one may end when another begins.) */
void sis__stacks_member_begin(void);
/* Where the calling thread is, for the threads of a team that it makes: sis_thread.stack_origin. */
uint64_t sis__stacks_origin(void);
/* Where the calling thread creates a task, in the call that returns to `from`:
 * sis_thread.task_stack. NULL: not known. */
const struct sis_task_origin *sis__stacks_task_origin(const void *from);
/* Where the calling thread creates a thread that begins in `start`, in the call that returns to
 * `from`. 0: not known, or it is a thread of OpenMP's runtime. The new thread passes it on. */
uint64_t sis__stacks_thread_origin(const void *start, const void *from);
void sis__stacks_thread_came_from(uint64_t origin);
/* Around an exec, which keeps pending signals; it may fail. */
void sis__stacks_pause(bool on);
/* The process ends: nothing is written any more. */
void sis__stacks_end(const struct sis_time_mark *end);
/* Around a fork. In the child nothing is sampled until its profile is opened. */
void sis__stacks_fork_prepare(void);
void sis__stacks_fork_parent(void);
void sis__stacks_new_process(void);

#pragma GCC visibility pop
#endif
