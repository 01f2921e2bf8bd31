/* SPDX-License-Identifier: BSD-3-Clause */
/* no_processor.h - how long threads were ready to run and had no processor, by the kernel's
 * count. */
#ifndef SIS_NO_PROCESSOR_H
#define SIS_NO_PROCESSOR_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

/* Called when a thread attaches: its time without a processor counts from now on. Returns the
 * nanoseconds that the kernel has counted for the thread before. */
uint64_t sis__no_processor_begin(void);
/* The calling thread has filled the slot at least since `since`. Records the time without a
 * processor since the last look (SIS_RECORD_NOCPU). If the last look was less than 1 ms before
 * `now`, records only the time that sis__no_processor_note has noted. */
SIS_EXPORT void sis__no_processor_look(struct sis_thread *thread, uint64_t since, uint64_t now);
/* Returns the nanoseconds that the kernel had counted for the calling thread at its last look. */
uint64_t sis__no_processor_counted(void);
/* The calling thread fills a slot from `now` on. The slot has waited for the thread in `node` since
 * `from`. Of the time that the kernel has counted since the last look, records the part in this
 * wait, and returns this part in nanoseconds. Does nothing within 1 ms after a look. */
uint64_t sis__no_processor_began(struct sis_thread *thread, struct sis_node *node, uint64_t from,
				 uint64_t now);
/* Records `ns` without a processor in the node, between the ticks `from` and `to`. */
void sis__no_processor_put(struct sis_thread *thread, struct sis_node *node, uint64_t from,
			   uint64_t to, uint64_t ns);
/* Like sis__no_processor_look, at the end `now` of a wait in the node that began at `from`. */
SIS_EXPORT void sis__no_processor_waited(struct sis_thread *thread, struct sis_node *node,
					 uint64_t from, uint64_t since, uint64_t now);
/* Called at the end of a long call. Asks the kernel now. The next look records the kernel's
 * answer. */
SIS_EXPORT void sis__no_processor_note(void);
/* Like sis__no_processor_look, but also if the last look was less than 1 ms ago. */
SIS_EXPORT void sis__no_processor_last(struct sis_thread *thread, uint64_t since);
/* Called at the end of the process. If the kernel has no count, writes the number of involuntary
 * context switches instead. */
void sis__no_processor_end(struct sis_thread *thread);

#pragma GCC visibility pop
#endif
