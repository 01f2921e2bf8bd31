/* SPDX-License-Identifier: BSD-3-Clause */
/* task_origins.h - where tasks are created, for the samples of the threads that execute them.
 *
 *      main ... tree | task: tree | task: tree ...
 *           origin A     origin B     again B
 *
 * A task's stack ends at the task's function. The origin of this stack is the stack that created
 * the task. The creator may itself be in a task, and so on (schema/stacks.h). If a task is created
 * with the same stack as a task around it, the two have the same origin. So recursion has few
 * origins. */
#ifndef SIS_TASK_ORIGINS_H
#define SIS_TASK_ORIGINS_H

#include "base/runtime.h"

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct sis_task_origin {
	uint64_t offset; /* its stack's offset in the file; 0: this entry is free; atomic */
	uint64_t hash;   /* hash of the stack's PCs */
	const struct sis_task_origin *outer; /* origin of the task around it; NULL: no task */
	uint32_t depth;  /* number of tasks around it */
};

/* The value of sis_stack.origin for a thread: the origin of its task or, outside of tasks, of its
 * team. */
static inline uint64_t sis__stacks_origin_of(const struct sis_thread *thread)
{
	const struct sis_task_origin *task = thread->task_stack;
	/* relaxed is enough: the offset was set before the task was handed over */
	return task ? __atomic_load_n(&task->offset, __ATOMIC_RELAXED) : thread->stack_origin;
}
/* The address where the stack of the thread's task ends; 0: the thread is in no task. */
static inline uint64_t sis__stacks_task_end(const struct sis_thread *thread)
{
	return thread->task_stack ? thread->task_end : 0;
}

/* Searches `outer` and the origins around `outer` for a stack with this hash, and returns its
 * origin. If none has this stack, returns `outer` if there are too many origins around, and else
 * NULL: the origin is new. */
const struct sis_task_origin *sis__task_origin_known(const struct sis_task_origin *outer,
						     uint64_t hash);
/* Returns the origin with this stack, or makes it. The calling thread has added the stack to the
 * file. If there are too many origins already, returns `outer`. */
const struct sis_task_origin *sis__task_origin(uint64_t offset, uint64_t hash,
					       const struct sis_task_origin *outer);
void sis__task_origins_new_process(void);

/* -- what a thread remembers ------------------------------------------------------------------- */

/* A call that creates a task. from: its return address. frame: a frame of the runtime inside of the
 * call. outer, team: task_stack and stack_origin of the thread. */
struct sis_creation {
	const void *from, *frame;
	const struct sis_task_origin *outer;
	uint64_t team;
};
struct sis_made;
/* Returns the origin of a creation that the thread remembers. Returns NULL if it does not remember
 * this creation, or if a return address in its stack has changed. */
const struct sis_task_origin *sis__made_find(const struct sis_made *made,
					     const struct sis_creation *creation);
/* Returns the entry for a creation, for sis__made_note and sis__made_set. The first call allocates
 * the entries. Returns NULL if there is no memory. */
struct sis_made *sis__made_at(struct sis_made **made, const struct sis_creation *creation);
/* Notes the return addresses of the creation's frame and of the frames around it. Returns false if
 * there are too many. */
bool sis__made_note(struct sis_made *entry, const struct sis_creation *creation,
		    const uint64_t *pc, const uint64_t *end, unsigned frames);
void sis__made_set(struct sis_made *entry, const struct sis_creation *creation,
		   const struct sis_task_origin *origin);
void sis__made_free(struct sis_made *made);

#pragma GCC visibility pop
#endif
