/* SPDX-License-Identifier: BSD-3-Clause */
/* thread_variables.h - thread-local variables of the objects that are loaded. Any thread. */
#ifndef SIS_THREAD_VARIABLES_H
#define SIS_THREAD_VARIABLES_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* The most bytes that the variables take in a new thread. */
size_t sis__variables_room(void);
/* Copies the variables' initial values to memory below `to`, the thread pointer of a new thread. A
 * copy is as far from `to` as the calling thread's variable is from `from`, its own thread pointer.
 * Only variables of objects that were loaded at the start are copied: others have no fixed
 * distance. `room` is the result of sis__variables_room. The memory must be zero. */
void sis__variables_make(uintptr_t from, uintptr_t to, size_t room);
/* Notes the variables of the calling thread for a process or thread that cannot ask the dynamic
 * linker (sis__linker_is_forbidden). Called before a fork, by the thread that forks. */
void sis__variables_note(void);

#pragma GCC visibility pop
#endif
