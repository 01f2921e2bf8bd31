/* SPDX-License-Identifier: BSD-3-Clause */
/* system_call.h - calls the kernel, even if the program replaces libc's functions. Any thread may
 * call this. A confined thread (base/state.h) does so only for a call that the program makes.
 */
#ifndef SIS_SYSTEM_CALL_H
#define SIS_SYSTEM_CALL_H

#include "base/runtime.h"

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#pragma GCC visibility push(hidden)

/* For a function that reads six arguments, even if its caller gave fewer. The kernel ignores
 * arguments that the call does not have. */
#define SIS_ANY_ARGUMENTS __attribute__((no_sanitize("address")))

/* Does the same as libc's syscall. */
SIS_EXPORT long sis__system_call(long number, ...);

#pragma GCC visibility pop

/* The runtime interposes read and write of libc (adapters/libc/transfers.c), so the runtime calls
 * these functions instead. In a confined thread they fail. */
static inline ssize_t sis__read(int of, void *bytes, size_t length)
{
	return syscall(SYS_read, of, bytes, length);
}

static inline ssize_t sis__write(int of, const void *bytes, size_t length)
{
	return syscall(SYS_write, of, bytes, length);
}
#endif
