/* SPDX-License-Identifier: BSD-3-Clause */
/* thread.h - changes a thread's state: its slot, and whether it is measured. */
#ifndef SIS_RT_THREAD_H
#define SIS_RT_THREAD_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

/* Makes `thread` the calling thread's state (NULL: the empty one) and returns its state before.
 * Afterwards measurement is on, even if the thread was muted before. */
SIS_EXPORT struct sis_thread *sis__set_thread_state(struct sis_thread *thread);

/* From now on the calling thread is not measured, until sis__unmute has undone each mute. The time
 * until then belongs to a node RT_UNMEASURED. `cause` (enum sis_cause) is noted in the profile for
 * the first of nested mutes. 0: the cause is noted elsewhere. */
void sis__mute(uint32_t cause);
void sis__unmute(void);
/* Does the same as sis_measure (sis/probe.h), with the given cause. */
void sis__measure_for(uint32_t cause, int on);
/* Ends the pause of a thread that is measured again without an unmute. */
void sis__pause_over(struct sis_thread *thread, uint64_t now);
/* Called before and after a change of the current node of a thread that may be muted. The first
 * function ends the activation of RT_UNMEASURED if this is the current node, and then returns true.
 * If it did, the second function begins a new activation afterwards. */
bool sis__unmeasured_end(struct sis_thread *thread, uint64_t now);
void sis__unmeasured_begin(struct sis_thread *thread, uint64_t now);

#pragma GCC visibility pop
#endif
