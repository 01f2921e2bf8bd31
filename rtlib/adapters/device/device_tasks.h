/* SPDX-License-Identifier: BSD-3-Clause */
/* device_tasks.h - tasks that a device executes, and the waits for them (device_tasks.c). */
#ifndef SIS_DEVICE_TASKS_H
#define SIS_DEVICE_TASKS_H

#include "base/runtime.h"

struct sis_counted;

#pragma GCC visibility push(hidden)

/* Called by the thread that executes such a task for the device, and is not measured. */
void sis__device_task_begin(void);
void sis__device_task_end(void);
void sis__device_task_value(struct sis_counted *counted, double x);

/* The last part of a wait for tasks, in which a device executed the task. It is empty if
 * from == until. */
struct sis_device_wait {
	uint64_t from, until; /* ticks */
};
/* since: until then, the thread waited for tasks of other threads, or executed tasks. */
struct sis_device_wait sis__device_wait_since(uint64_t since, uint64_t now);
static inline bool sis__device_waited(struct sis_device_wait wait)
{
	return wait.from < wait.until;
}
/* Gives the numbers of the tasks to the node of the calling thread. */
void sis__device_tasks_give(struct sis_thread *thread, struct sis_node *node);

#pragma GCC visibility pop
#endif
