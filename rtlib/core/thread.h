/* SPDX-License-Identifier: BSD-3-Clause */
/* thread.h - changes of a thread's state. */
#ifndef SIS_RT_THREAD_H
#define SIS_RT_THREAD_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

/* Makes `thread` the calling thread's state (NULL: the empty one) and returns the one before.
 * Measurement is on afterwards, whatever was muted before. */
SIS_EXPORT struct sis_thread *sis__set_thread_state(struct sis_thread *thread);

#pragma GCC visibility pop
#endif
