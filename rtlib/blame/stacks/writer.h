/* SPDX-License-Identifier: BSD-3-Clause */
/* writer.h - what a thread needs to write stacks. A sampled thread writes its own stacks, in the
 * handler of the samples' signal. The sampler writes the stacks of threads that are blocked. */
#ifndef SIS_WRITER_H
#define SIS_WRITER_H

#include "blame/stacks/access_table.h"
#include "blame/stacks/instruction_before.h"
#include "blame/stacks/stack_table.h"
#include "blame/stacks/task_origins.h"
#include "blame/stacks/unwind.h"

#pragma GCC visibility push(hidden)

/* A stack before it is in a table, with room for its PCs. */
struct sis_stack_key {
	struct sis_stack head;
	uint64_t pc[SIS_STACK_FRAMES];
};
/* Completes the key's head: sets the number of PCs (in a task, only those of the task) and the
 * flags. The caller has set the rest of the head. */
void sis__stack_key_set(struct sis_stack_key *key, struct sis_unwound unwound);

/* A writer: its tables, the stack that it adds next, and what it remembers for unwinding. */
struct sis_writer {
	struct sis_stack_table table;
	struct sis_access_table accesses; /* its slot is NULL: the writer has no accesses */
	struct sis_sampled *pub; /* in the file */
	struct sis_filling moments;
	struct sis_moments *last; /* the last of its moments; NULL: none yet */
	struct sis_stack_key key;
	uint64_t end[SIS_STACK_FRAMES];   /* ends of the key's frames; 0: not known */
	struct sis_made *made;            /* where the thread creates tasks; NULL: nowhere yet */
	struct sis_unwind_rules rules;
	struct sis_instructions instructions;
};
/* Makes a writer. Returns NULL if there is no memory, or no room in the file. */
struct sis_writer *sis__writer_new(uint32_t tid, bool has_accesses);
void sis__writer_free(struct sis_writer *writer);
void sis__writer_grow(struct sis_writer *writer);    /* makes the spare chunks that it wants */
/* Adds samples to the stack of the writer's key. If there is no room, counts the samples as lost
 * and returns NULL. */
struct sis_stack *sis__writer_add(struct sis_writer *writer, uint64_t count, uint64_t weight);
/* Notes that samples of the stack were taken now. `before`: earlier samples of the same thread;
 * NULL: none. Returns the moments that now contain these samples. */
struct sis_moments *sis__writer_moment(struct sis_writer *writer, struct sis_moments *before,
				       const struct sis_stack *stack, uint64_t count);
/* Adds samples to an access. The caller has set its kind, place and offset; the rest comes from the
 * key. */
void sis__writer_add_access(struct sis_writer *writer, struct sis_access *access, uint64_t count,
			    uint64_t weight);
void sis__writers_new_process(void); /* called after all writers were freed */

#pragma GCC visibility pop
#endif
