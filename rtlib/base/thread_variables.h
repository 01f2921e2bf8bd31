/* SPDX-License-Identifier: BSD-3-Clause */
/* thread_variables.h - thread-local variables of the objects that are loaded. Any thread. */
#ifndef SIS_THREAD_VARIABLES_H
#define SIS_THREAD_VARIABLES_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* The bytes that they take in a new thread, at most. */
size_t sis__variables_room(void);
/* Copies their initial values to below `to`, as far from it as they are below `from`, the calling
 * thread's pointer. Only objects whose variables are at a fixed distance from the thread pointer:
 * those that were loaded at the start. `room`: what sis__variables_room returned; the memory is
 * zero. */
void sis__variables_make(uintptr_t from, uintptr_t to, size_t room);
/* Before a fork, in the thread that forks. */
void sis__variables_fork_prepare(void);

#pragma GCC visibility pop
#endif
