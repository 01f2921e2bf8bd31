/* SPDX-License-Identifier: BSD-3-Clause */
/* sampled_thread.h - threads that sample themselves. */
#ifndef SIS_SAMPLED_THREAD_H
#define SIS_SAMPLED_THREAD_H

#include "blame/stacks/sample_source.h"
#include "blame/stacks/writer.h"

#pragma GCC visibility push(hidden)

/* Begins to sample threads, with signal `number`. `source` is copied. */
void sis__sampled_begin(const struct sis_sample_source *source, int number);
void sis__sampled_add(uint32_t tid, bool self); /* self: it is the calling thread */
void sis__sampled_remove(uint32_t tid);
void sis__sampled_confine(uint32_t tid); /* removes it, and stops the search for new threads */
void sis__sampled_scan(void);    /* adds threads that have begun, removes those that ended */
void sis__sampled_grow(void);    /* makes room for what threads will write */
void sis__sampled_signal(int number); /* the sources send this signal from now on */
/* Stops the samples, or resumes them if `on`. While they are stopped, no thread writes. */
void sis__sampled_pause(bool on);
void sis__sampled_end(void);
void sis__sampled_new_process(void);
/* Called when the calling thread gets the signal, at the end of this many periods. */
void sis__sampled_take(int handle, uint64_t periods, const void *context);
/* Whether the calling thread is known to be sampled. */
bool sis__sampled_is_self(void);
/* These two functions set and return where the calling thread was created: the offset of a stack;
 * 0: not known. */
void sis__sampled_came_from(uint64_t origin);
uint64_t sis__sampled_origin(void);
/* Makes room for what the calling thread will write. Signal handlers must not call this. */
void sis__sampled_grow_self(void);
/* Adds the calling thread's stack to its table, and returns it. The stack begins at the return
 * address `from`. If `from` is NULL, or not among the innermost return addresses, it begins here.
 * Returns NULL if the stack is not known. */
const struct sis_stack *sis__sampled_here(enum sis_stack_kind kind, const void *from);
/* Where the calling thread creates a task: its stack from the return address `from` on (if `from`
 * is among the innermost return addresses), up to the task that the thread itself executes. Returns
 * NULL if the stack is not known. */
const struct sis_task_origin *sis__sampled_task(const void *from);

#pragma GCC visibility pop
#endif
