/* SPDX-License-Identifier: BSD-3-Clause */
/* sampled_thread.h - threads that sample themselves. */
#ifndef SIS_SAMPLED_THREAD_H
#define SIS_SAMPLED_THREAD_H

#include "stacks/sample_source.h"
#include "stacks/writer.h"

#pragma GCC visibility push(hidden)

/* Threads are sampled from now on; `source` stays the caller's. */
void sis__sampled_begin(const struct sis_sample_source *source, int number);
void sis__sampled_add(uint32_t tid, bool self); /* unless it is known; self: the calling thread */
void sis__sampled_remove(uint32_t tid);
void sis__sampled_confine(uint32_t tid); /* the same, and no thread that begins is found */
void sis__sampled_scan(void);    /* adds threads that began, removes those that ended */
void sis__sampled_grow(void);    /* makes room for what threads will write */
void sis__sampled_signal(int number); /* another signal from now on */
/* No thread writes any more; or again, if `on`. */
void sis__sampled_pause(bool on);
void sis__sampled_end(void);
void sis__sampled_new_process(void);
/* The signal has come, to this thread; so many periods have ended. */
void sis__sampled_take(int handle, uint64_t periods, const void *context);
/* Whether the calling thread is known to be sampled. */
bool sis__sampled_is_self(void);
/* Where the calling thread was created: the offset of a stack; 0: not known. */
void sis__sampled_came_from(uint64_t origin);
uint64_t sis__sampled_origin(void);
/* Makes room for what the calling thread will write; not in a signal handler. */
void sis__sampled_grow_self(void);
/* The stack of the calling thread, in a table. It begins at the return address `from`, or, if that
 * is NULL or not among the innermost ones, here. NULL: not known. */
const struct sis_stack *sis__sampled_here(enum sis_stack_kind kind, const void *from);
/* Where the calling thread creates a task: the stack from the return address `from` on, if it is
 * among the innermost ones, up to the task that it executes itself. NULL: not known. */
const struct sis_task_origin *sis__sampled_task(const void *from);

#pragma GCC visibility pop
#endif
