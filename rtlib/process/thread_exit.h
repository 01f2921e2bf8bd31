/* SPDX-License-Identifier: BSD-3-Clause */
/* thread_exit.h - the end of a thread gives its slot back. */
#ifndef SIS_THREAD_EXIT_H
#define SIS_THREAD_EXIT_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

void sis__thread_exit_init(void);
void sis__thread_exit_arm(struct sis_thread *thread); /* the calling thread's slot is this one */

#pragma GCC visibility pop
#endif
