/* SPDX-License-Identifier: BSD-3-Clause */
/* sampled_thread.h - threads that sample themselves. */
#ifndef SIS_SAMPLED_THREAD_H
#define SIS_SAMPLED_THREAD_H

#include "stacks/sample_source.h"
#include "stacks/stack_table.h"
#include "stacks/unwind.h"

#pragma GCC visibility push(hidden)

/* A stack before it is in a table, with room for its PCs. */
struct sis_stack_key {
	struct sis_stack head;
	uint64_t pc[SIS_STACK_FRAMES];
};
/* Completes the key by its PCs; the caller has set the rest of the head. */
void sis__stack_key_set(struct sis_stack_key *key, struct sis_unwound unwound);

/* A writer of stacks: its table, and what is unwound by it. */
struct sis_writer {
	struct sis_stack_table table;
	struct sis_sampled *pub; /* in the file */
	struct sis_stack_key key;
	struct sis_unwind_rules rules;
};
struct sis_writer *sis__writer_new(uint32_t tid); /* NULL: no memory, or no room in the file */
void sis__writer_grow(struct sis_writer *writer);    /* by a spare chunk if it wants one */
/* Adds samples to the stack of its key. NULL: no room; then they are counted as lost. */
struct sis_stack *sis__writer_add(struct sis_writer *writer, uint64_t count, uint64_t weight);

/* Threads are sampled from now on; `source` stays the caller's. */
void sis__sampled_begin(const struct sis_sample_source *source, int number);
void sis__sampled_add(uint32_t tid, bool self); /* unless it is known; self: the calling thread */
void sis__sampled_remove(uint32_t tid);
void sis__sampled_scan(void);    /* adds threads that began, removes those that ended */
void sis__sampled_grow(void);    /* makes room for what threads will write */
void sis__sampled_signal(int number); /* another signal from now on */
/* No thread writes any more; or again, if `on`. */
void sis__sampled_pause(bool on);
void sis__sampled_end(void);
void sis__sampled_new_process(void);
/* The signal has come, to this thread. */
void sis__sampled_take(int fd, const void *context);
/* The stack of the calling thread from its caller on, in a table; NULL: not known. */
const struct sis_stack *sis__sampled_here(enum sis_stack_kind kind);

#pragma GCC visibility pop
#endif
