/* SPDX-License-Identifier: BSD-3-Clause */
/* samples.h - samples of call stacks, for blame (SIS_BLAME). The format: schema/stacks.h. */
#ifndef SIS_RT_SAMPLES_H
#define SIS_RT_SAMPLES_H

#include "profile.h"

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* Called when the profile has been opened. Begins the samples that SIS_BLAME asks for. */
void sis__stacks_begin(void);
/* Called when the calling thread gets a slot, and when it ends. */
struct sis_thread;
void sis__stacks_thread_begin(struct sis_thread *thread);
void sis__stacks_thread_end(void);
void sis__stacks_thread_confine(void); /* it gets no signal any more (process/confine.c) */
/* Called when the calling thread becomes a member of a team: it is sampled from now on. The sampler
 * might find it too late, because it looks for threads only when their number changes. The number
 * stays the same if one thread ends as another begins. */
void sis__stacks_member_begin(void);
/* Returns where the calling thread is now. The result is stored in sis_thread.stack_origin of the
 * threads of a team that it makes.
 */
uint64_t sis__stacks_origin(void);
/* Returns where the calling thread creates a task, in the call that returns to `from`; NULL: not
 * known. The result is stored in sis_thread.task_stack. */
const struct sis_task_origin *sis__stacks_task_origin(const void *from);
/* Returns where the calling thread creates a thread, in the call that returns to `from`; 0: not
 * known. The new thread passes the result to sis__stacks_thread_came_from. */
bool sis__stacks_running(void);
uint64_t sis__stacks_thread_origin(const void *from);
void sis__stacks_thread_came_from(uint64_t origin);
/* Called before an exec, because pending signals survive an exec. If the exec failed, called again,
 * with `on`. */
void sis__stacks_pause(bool on);
/* Called when the process ends. After this call nothing is written. */
void sis__stacks_end(const struct sis_time_mark *end);
/* Called around a fork. In the child nothing is sampled until its profile is opened. */
void sis__stacks_fork_prepare(void);
void sis__stacks_fork_parent(void);
void sis__stacks_new_process(void);

#pragma GCC visibility pop
#endif
