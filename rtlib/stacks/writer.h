/* SPDX-License-Identifier: BSD-3-Clause */
/* writer.h - a thread that writes stacks: in the handler of the samples' signal for itself, or the
 * sampler for threads that are blocked. */
#ifndef SIS_WRITER_H
#define SIS_WRITER_H

#include "stacks/access_table.h"
#include "stacks/instruction_before.h"
#include "stacks/stack_table.h"
#include "stacks/task_origins.h"
#include "stacks/unwind.h"

#pragma GCC visibility push(hidden)

/* A stack before it is in a table, with room for its PCs. */
struct sis_stack_key {
	struct sis_stack head;
	uint64_t pc[SIS_STACK_FRAMES];
};
/* Completes the key by its PCs, those of the task; the caller has set the rest of the head. */
void sis__stack_key_set(struct sis_stack_key *key, struct sis_unwound unwound);

/* Its tables, and what is unwound by it. */
struct sis_writer {
	struct sis_stack_table table;
	struct sis_access_table accesses; /* slot NULL: it has none */
	struct sis_sampled *pub; /* in the file */
	struct sis_stack_key key;
	uint64_t end[SIS_STACK_FRAMES];   /* of the frames of the key; 0: not known */
	struct sis_made *made;            /* where its thread creates tasks; NULL: it has not */
	struct sis_unwind_rules rules;
	struct sis_instructions instructions;
};
/* NULL: no memory, or no room in the file */
struct sis_writer *sis__writer_new(uint32_t tid, bool has_accesses);
void sis__writer_free(struct sis_writer *writer);
void sis__writer_grow(struct sis_writer *writer);    /* by spare chunks if it wants some */
/* Adds samples to the stack of its key. NULL: no room; then they are counted as lost. */
struct sis_stack *sis__writer_add(struct sis_writer *writer, uint64_t count, uint64_t weight);
/* Adds to an access: its kind, place and offset are set, the thread is that of the key. */
void sis__writer_add_access(struct sis_writer *writer, struct sis_access *access, uint64_t count,
			    uint64_t weight);
void sis__writers_new_process(void); /* after all were freed */

#pragma GCC visibility pop
#endif
