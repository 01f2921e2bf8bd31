/* SPDX-License-Identifier: BSD-3-Clause */
/* thread.h - changes of a thread's state. */
#ifndef SIS_RT_THREAD_H
#define SIS_RT_THREAD_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

/* Makes `thread` the calling thread's state (NULL: the empty one) and returns the one before.
 * Measurement is on afterwards, whatever was muted before. */
SIS_EXPORT struct sis_thread *sis__set_thread_state(struct sis_thread *thread);

/* The calling thread is not measured from now on; each mute has to be undone. Its time meanwhile is
 * that of a node RT_UNMEASURED. The profile says what the first of them was for (enum sis_cause);
 * 0: that is said elsewhere. */
void sis__mute(uint32_t cause);
void sis__unmute(void);
/* sis_measure (sis/probe.h), for another cause. */
void sis__measure_for(uint32_t cause, int on);
/* The thread is measured again, without an unmute. */
void sis__pause_over(struct sis_thread *thread, uint64_t now);
/* Around a change of the current node of a thread that may be muted: ends the node RT_UNMEASURED,
 * if it is the current one, and begins another one. */
bool sis__unmeasured_end(struct sis_thread *thread, uint64_t now);
void sis__unmeasured_begin(struct sis_thread *thread, uint64_t now);

#pragma GCC visibility pop
#endif
