/* SPDX-License-Identifier: BSD-3-Clause */
/* system_call.h - calls the kernel, whatever the program has in place of libc's functions. Any
 * thread; a confined one only for what the program itself asked for (base/state.h).
 */
#ifndef SIS_SYSTEM_CALL_H
#define SIS_SYSTEM_CALL_H

#include "base/runtime.h"

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#pragma GCC visibility push(hidden)

/* Of a function that reads as many arguments as any call of the kernel has. The kernel does not use
 * those that the caller did not give. */
#define SIS_ANY_ARGUMENTS __attribute__((no_sanitize("address")))

/* As libc's syscall. */
SIS_EXPORT long sis__system_call(long number, ...);

#pragma GCC visibility pop

/* The runtime interposes these functions of libc (libc/transfers.c), and does not call them. A
 * confined thread is refused. */
static inline ssize_t sis__read(int of, void *bytes, size_t length)
{
	return syscall(SYS_read, of, bytes, length);
}

static inline ssize_t sis__write(int of, const void *bytes, size_t length)
{
	return syscall(SYS_write, of, bytes, length);
}
#endif
