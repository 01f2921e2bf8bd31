/* SPDX-License-Identifier: BSD-3-Clause */
/* module_memory.h - the memory into which the program and its libraries are loaded. */
#ifndef SIS_MODULE_MEMORY_H
#define SIS_MODULE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

enum { SIS_MODULE_RANGES = 4096 };
struct sis_module_range { uint64_t begin, end; }; /* addresses */

/* Replaces all ranges, and sorts them. tls_bytes: the size of the thread-local variables below the
 * thread pointer, the same in all threads. Called by one thread at a time. */
void sis__module_memory_set(struct sis_module_range *range, uint32_t count, uint64_t tls_bytes);

/* These two functions never wait, so a signal handler may call them. While the ranges are being
 * replaced, sis__is_module_memory returns false. */
bool sis__is_module_memory(uint64_t address);
uint64_t sis__tls_bytes(void);

#pragma GCC visibility pop
#endif
