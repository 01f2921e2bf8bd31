/* SPDX-License-Identifier: BSD-3-Clause */
/* own_stack.h - a stack for work of the runtime that needs more stack than a thread may have. */
#ifndef SIS_OWN_STACK_H
#define SIS_OWN_STACK_H

#pragma GCC visibility push(hidden)

/* Calls the function on a new stack or, if there is no memory for one, on the thread's stack. The
 * function may compute with doubles (sis/fp_environment.h). */
void sis__on_own_stack(void (*work)(void));

#pragma GCC visibility pop
#endif
