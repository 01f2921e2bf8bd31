/* SPDX-License-Identifier: BSD-3-Clause */
/* memory_calls.h - the functions of the runtime that the wrappers of malloc and the like call
 * (apart/modules/memory_wrappers.c). This file is never installed.
 */
#ifndef SIS_MEMORY_CALLS_H
#define SIS_MEMORY_CALLS_H

#include <stddef.h>

/* A block that is about to be moved. */
struct sis_memory_taken {
	unsigned long long begin, end; /* addresses; equal if there is no block */
	unsigned long long ticks;
	unsigned of;
	unsigned short kind, is_part;
};

#pragma GCC visibility push(default)
/* Called if an executable or a library with these wrappers is in the process. */
void sis_memory_wrapped(void);
/* Allocations of at least so many bytes are recorded. SIZE_MAX: no allocation is recorded. */
extern size_t sis_memory_least;

/* Called when the thread enters and leaves a function that allocates. If such functions are nested,
 * only the allocation of the outermost one is recorded. */
void sis_memory_enter(void);
void sis_memory_leave(void);
/* Called after memory was allocated, by the call that returns to `from`. Keeps errno. */
void sis_memory_new(void *at, size_t bytes, const void *from);
void sis_memory_mapped(void *at, size_t bytes, const void *from);
/* Called before memory is freed, because afterwards another thread may get the address. */
void sis_memory_free(void *at);
void sis_memory_unmap(void *at, size_t bytes);
/* Called if memory may be moved: `take` before, and `put` afterwards with the new address `to`
 * (NULL: the memory was freed). If nothing was moved, `put` gets the same address and bytes. */
void sis_memory_take(void *at, struct sis_memory_taken *taken);
void sis_memory_take_mapped(void *at, size_t bytes, struct sis_memory_taken *taken);
void sis_memory_put(const struct sis_memory_taken *taken, void *to, size_t bytes,
		    const void *from);
void sis_memory_put_mapped(const struct sis_memory_taken *taken, void *to, size_t bytes,
			   const void *from);
#pragma GCC visibility pop

#endif
