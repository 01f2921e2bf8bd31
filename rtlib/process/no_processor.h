/* SPDX-License-Identifier: BSD-3-Clause */
/* no_processor.h - how long threads were ready to run and had no processor, as the kernel counts
 * it. */
#ifndef SIS_NO_PROCESSOR_H
#define SIS_NO_PROCESSOR_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

/* The calling thread's count begins now: it may have run before. Returns what the kernel has
 * counted so far. */
uint64_t sis__no_processor_begin(void);
/* The calling thread fills the slot, at least since `since`. Records what the kernel has counted
 * since the last look (SIS_RECORD_NOCPU). If that look is less than 1 ms before `now`, records
 * only what sis__no_processor_note has noted. */
SIS_EXPORT void sis__no_processor_look(struct sis_thread *thread, uint64_t since, uint64_t now);
/* What the kernel had counted for the calling thread at its last look, ns. */
uint64_t sis__no_processor_counted(void);
/* The calling thread fills a slot at `now`, which waited for it in `node` since `from`. What the
 * kernel has counted since the last look was before, or in this wait: this part is returned, in
 * nanoseconds, and recorded. Does nothing within 1 ms after a look. */
uint64_t sis__no_processor_began(struct sis_thread *thread, struct sis_node *node, uint64_t from,
				 uint64_t now);
/* Records `ns` without a processor in the node, between the ticks. */
void sis__no_processor_put(struct sis_thread *thread, struct sis_node *node, uint64_t from,
			   uint64_t to, uint64_t ns);
/* As sis__no_processor_look at `now`, the end of a wait in the node that began at `from`. */
SIS_EXPORT void sis__no_processor_waited(struct sis_thread *thread, struct sis_node *node,
					 uint64_t from, uint64_t since, uint64_t now);
/* The calling thread has been in a long call, which ends now. Asks the kernel now; the next look
 * records the answer. */
SIS_EXPORT void sis__no_processor_note(void);
/* As sis__no_processor_look, even if the last look is less than 1 ms ago. */
SIS_EXPORT void sis__no_processor_last(struct sis_thread *thread, uint64_t since);
/* At the end of the process. If the kernel has no count, writes the number of involuntary context
 * switches instead. */
void sis__no_processor_end(struct sis_thread *thread);

#pragma GCC visibility pop
#endif
