/* SPDX-License-Identifier: BSD-3-Clause */
/* module_memory.h - the memory that the program and its libraries have from their files. */
#ifndef SIS_MODULE_MEMORY_H
#define SIS_MODULE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

enum { SIS_MODULE_RANGES = 4096 };
struct sis_module_range { uint64_t begin, end; }; /* addresses */

/* Replaces all ranges; they are sorted here. tls_bytes: of thread-local variables below the thread
 * pointer, the same in all threads. One thread at a time. */
void sis__module_memory_set(struct sis_module_range *range, uint32_t count, uint64_t tls_bytes);

/* Safe in a signal handler: wait for nobody. While the ranges are replaced, no address is in one.
 */
bool sis__is_module_memory(uint64_t address);
uint64_t sis__tls_bytes(void);

#pragma GCC visibility pop
#endif
