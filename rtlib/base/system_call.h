/* SPDX-License-Identifier: BSD-3-Clause */
/* system_call.h - calls the kernel, whatever the program has in place of libc's functions. Any
 * thread; a confined one only for what the program itself asked for (base/state.h).
 */
#ifndef SIS_SYSTEM_CALL_H
#define SIS_SYSTEM_CALL_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

/* As libc's syscall. */
SIS_EXPORT long sis__system_call(long number, ...);

#pragma GCC visibility pop
#endif
