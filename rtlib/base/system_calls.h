/* SPDX-License-Identifier: BSD-3-Clause */
/* system_calls.h - system calls of the runtime itself, whose functions of libc it interposes
 * (libc/asleep.h). Any thread, also a bare one.
 */
#ifndef SIS_SYSTEM_CALLS_H
#define SIS_SYSTEM_CALLS_H

#include <stddef.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static inline ssize_t sis__read(int of, void *bytes, size_t length)
{
	return syscall(SYS_read, of, bytes, length);
}

static inline ssize_t sis__write(int of, const void *bytes, size_t length)
{
	return syscall(SYS_write, of, bytes, length);
}

#endif
