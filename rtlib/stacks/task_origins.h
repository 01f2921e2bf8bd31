/* SPDX-License-Identifier: BSD-3-Clause */
/* task_origins.h - where tasks are created, for the samples of those who execute them.
 *
 *      main ... tree | task: tree | task: tree ...
 *           origin A     origin B     again B
 *
 * A task's stack is that of its function. It goes on where the task was created, which may be in a
 * task, and so on (schema/stacks.h). A task that is created where one around it was has the origin
 * of that one: so recursion has few origins. */
#ifndef SIS_TASK_ORIGINS_H
#define SIS_TASK_ORIGINS_H

#include "base/runtime.h"

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct sis_task_origin {
	uint64_t offset; /* atomic: of its stack in the file; 0: this place is free */
	uint64_t hash;   /* of the stack's PCs */
	const struct sis_task_origin *outer; /* of the task that it is created in; NULL: of none */
	uint32_t depth;  /* tasks around it */
};

/* What sis_stack.origin is for a thread: of its task, else of its team. */
static inline uint64_t sis__stacks_origin_of(const struct sis_thread *thread)
{
	const struct sis_task_origin *task = thread->task_stack;
	/* relaxed: it was set before the task was handed over */
	return task ? __atomic_load_n(&task->offset, __ATOMIC_RELAXED) : thread->stack_origin;
}
/* Where the stack of its task ends; 0: it is in none. */
static inline uint64_t sis__stacks_task_end(const struct sis_thread *thread)
{
	return thread->task_stack ? thread->task_end : 0;
}

/* Looks for a stack with this hash in `outer` and the origins around it, and returns its origin. If
 * no origin has it and there are too many around, returns `outer`. NULL: the origin is new. */
const struct sis_task_origin *sis__task_origin_known(const struct sis_task_origin *outer,
						     uint64_t hash);
/* The origin with this stack, which the calling thread has added to the file. The origin is made if
 * there is none. If there are too many origins already, returns `outer`. */
const struct sis_task_origin *sis__task_origin(uint64_t offset, uint64_t hash,
					       const struct sis_task_origin *outer);
void sis__task_origins_new_process(void);

/* -- what a thread remembers ------------------------------------------------------------------- */

/* A call that creates a task. frame: in the runtime, inside of the call. outer, team: task_stack
 * and stack_origin of the thread. */
struct sis_creation {
	const void *from, *frame;
	const struct sis_task_origin *outer;
	uint64_t team;
};
struct sis_made;
/* The origin of a creation that the thread remembers. NULL: the thread does not remember this
 * creation, or a return address in its stack has changed. */
const struct sis_task_origin *sis__made_find(const struct sis_made *made,
					     const struct sis_creation *creation);
/* The place that remembers it, for the next two functions; the first call makes the memory. NULL:
 * there is none. */
struct sis_made *sis__made_at(struct sis_made **made, const struct sis_creation *creation);
/* Notes the return addresses of the frames at and outside of the creation's. False: too many. */
bool sis__made_note(struct sis_made *place, const struct sis_creation *creation,
		    const uint64_t *pc, const uint64_t *end, unsigned frames);
void sis__made_set(struct sis_made *place, const struct sis_creation *creation,
		   const struct sis_task_origin *origin);
void sis__made_free(struct sis_made *made);

#pragma GCC visibility pop
#endif
