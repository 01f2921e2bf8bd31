/* SPDX-License-Identifier: BSD-3-Clause */
/* thread_exit.h - frees the slot of a thread that ends. */
#ifndef SIS_THREAD_EXIT_H
#define SIS_THREAD_EXIT_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

void sis__thread_exit_init(void);
void sis__thread_exit_arm(struct sis_thread *thread); /* `thread` is the calling thread's slot */

#pragma GCC visibility pop
#endif
