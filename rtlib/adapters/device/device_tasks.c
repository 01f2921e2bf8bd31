/* SPDX-License-Identifier: BSD-3-Clause */
/* device_tasks.c - tasks on devices: target constructs with nowait. Threads of the OpenMP runtime
 * execute them (hidden helpers of libomp), and are not measured. Called by these threads, and by
 * threads that have waited for tasks.
 *
 * The idea: it is known from when to when there were such tasks. The last part of a wait for tasks
 * is a wait for a device, if no thread of the program executed a task then:
 *
 *     tasks on devices  |==== kernel ====|  |== copies ==|
 *     taskwait    |~~~~~|~~ RT_DEVWAIT ~~~~~~~~~~~~~~~~~~|
 *
 * The numbers of kernels and bytes are kept until a thread has waited, and then belong to the node
 * of this wait.
 */
#include "adapters/device/device_tasks.h"
#include "adapters/user_api/user_api.h"
#include "base/lock.h"
#include "base/state.h"
#include "measure/core/drg.h"

/* GAP: two tasks with less than this many ms between them are one. It takes a while until a helper
 * begins the next one. */
enum { VALUES = 256, GAP = 1 };

static struct sis_lock lock; /* guards all data below */
static unsigned inside;	     /* tasks that are executed now */
static uint64_t from, until; /* ticks: begin of these or the last tasks; end of the last one */
static struct value {
	struct sis_counted *of;
	struct sis_user_value sum;
} value[VALUES];
static unsigned values; /* elements of `value` in use */
static bool has_values; /* some of them have numbers; atomic: a hint for threads that wait */
static bool had_tasks;	/* atomic: likewise */

void sis__device_task_begin(void)
{
	uint64_t now = sis__ticks();
	if (!sis__lock(&lock))
		return;
	if (inside == 0 && now - until > sis__header()->ticks_per_second / 1000 * GAP)
		from = now;
	inside++;
	__atomic_store_n(&had_tasks, true, __ATOMIC_RELAXED);
	sis__unlock(&lock);
}

void sis__device_task_end(void)
{
	if (!sis__lock(&lock))
		return;
	inside -= inside > 0;
	until = sis__ticks();
	sis__unlock(&lock);
}

void sis__device_task_value(struct sis_counted *counted, double x)
{
	unsigned i = 0;
	if (!sis__lock(&lock))
		return;
	while (i < values && value[i].of != counted)
		i++;
	if (i < VALUES) {
		struct sis_user_value *sum = &value[i].sum;
		values += i == values;
		value[i].of = counted;
		sum->min = sum->count == 0 || x < sum->min ? x : sum->min;
		sum->max = sum->count == 0 || x > sum->max ? x : sum->max;
		sum->sum += x;
		sum->count++;
		__atomic_store_n(&has_values, true, __ATOMIC_RELAXED);
	}
	sis__unlock(&lock);
}

void sis__device_tasks_give(struct sis_thread *thread, struct sis_node *node)
{
	/* a number that is not seen yet will be seen after another wait */
	if (!__atomic_load_n(&has_values, __ATOMIC_RELAXED) || !sis__lock(&lock))
		return;
	for (unsigned i = 0; i < values; i++) {
		sis__value_add(thread, node, value[i].of, &value[i].sum);
		value[i].sum = (struct sis_user_value){ .count = 0 };
	}
	__atomic_store_n(&has_values, false, __ATOMIC_RELAXED);
	sis__unlock(&lock);
}

struct sis_device_wait sis__device_wait_since(uint64_t since, uint64_t now)
{
	struct sis_device_wait wait = { now, now };
	/* the tasks that the thread has waited for happened before */
	if (!__atomic_load_n(&had_tasks, __ATOMIC_RELAXED) || !sis__lock(&lock))
		return wait;
	if (until > since && from < until && from < now) {
		wait.from = from > since ? from : since;
		wait.until = until < now ? until : now;
	}
	sis__unlock(&lock);
	return wait;
}
