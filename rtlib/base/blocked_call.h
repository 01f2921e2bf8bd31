/* SPDX-License-Identifier: BSD-3-Clause */
/* blocked_call.h - the system call in which a thread of this process is blocked. */
#ifndef SIS_BLOCKED_CALL_H
#define SIS_BLOCKED_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#pragma GCC visibility push(hidden)

/* Stores the kernel's text about the call: its number, six arguments, the stack pointer and the
 * PC. The number is -1 if the thread is blocked outside of a system call. Returns false if the
 * thread runs, or if the kernel does not give the text. In the second case `line` is empty. */
bool sis__blocked_call(uint32_t tid, char *line, size_t size);
/* Whether a call that reads or writes this file may wait for something outside of the program:
 * true for a pipe, a terminal or a socket, false for a regular file or a memory device. */
bool sis__may_block(const struct stat *status);

#pragma GCC visibility pop
#endif
