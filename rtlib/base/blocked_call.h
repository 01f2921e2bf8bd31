/* SPDX-License-Identifier: BSD-3-Clause */
/* blocked_call.h - the system call in which a thread of this process is blocked. */
#ifndef SIS_BLOCKED_CALL_H
#define SIS_BLOCKED_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#pragma GCC visibility push(hidden)

/* What the kernel tells of it: its number, six arguments, the stack pointer and the place; the
 * number is -1 if the thread is blocked elsewhere. False: it runs, or (an empty line) the kernel
 * does not tell. */
bool sis__blocked_call(uint32_t tid, char *line, size_t size);
/* Whether a call that reads or writes this may wait for something outside of the program: a pipe, a
 * terminal, a socket, and not a file or the kernel's own memory. */
bool sis__may_block(const struct stat *status);

#pragma GCC visibility pop
#endif
