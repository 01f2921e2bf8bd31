/* SPDX-License-Identifier: BSD-3-Clause */
/* copy_memory.h - reads memory that another thread may unmap at any time. */
#ifndef SIS_COPY_MEMORY_H
#define SIS_COPY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Returns false if not all of the memory is mapped, or if the kernel refuses process_vm_readv. */
bool sis__copy_memory(void *to, uintptr_t from, size_t bytes);

#pragma GCC visibility pop
#endif
