/* SPDX-License-Identifier: BSD-3-Clause */
/* memory_calls.h - what the wrappers of malloc and the like (modules/memory_wrappers.c) call of the
 * runtime. Never installed.
 */
#ifndef SIS_MEMORY_CALLS_H
#define SIS_MEMORY_CALLS_H

#include <stddef.h>

#ifndef SIS__WEAK
#define SIS__WEAK __attribute__((__weak__))
#endif

/* A block that is about to be moved. */
struct sis_memory_taken {
	unsigned long long begin, end; /* addresses; equal: none */
	unsigned long long ticks;
	unsigned of;
	unsigned short kind, is_part;
};

#pragma GCC visibility push(default)
/* An object with wrappers is in the process. */
SIS__WEAK void sis_memory_wrapped(void);
/* Allocations of at least so many bytes are recorded. SIZE_MAX: none are. */
extern size_t sis_memory_least SIS__WEAK;

/* The thread enters and leaves a function that allocates. If such functions are nested, only the
 * outermost one is recorded. */
SIS__WEAK void sis_memory_enter(void);
SIS__WEAK void sis_memory_leave(void);
/* Memory was allocated, by the call that returns to `from`. Keeps errno. */
SIS__WEAK void sis_memory_new(void *at, size_t bytes, const void *from);
SIS__WEAK void sis_memory_mapped(void *at, size_t bytes, const void *from);
/* Memory will be freed; before that, because another thread may then get its address. */
SIS__WEAK void sis_memory_free(void *at);
SIS__WEAK void sis_memory_unmap(void *at, size_t bytes);
/* Memory may be moved: first `take`, then `put`, with where it is now; to: NULL: it was freed. If
 * nothing was moved, `put` gets the same address and bytes. */
SIS__WEAK void sis_memory_take(void *at, struct sis_memory_taken *taken);
SIS__WEAK void sis_memory_take_mapped(void *at, size_t bytes, struct sis_memory_taken *taken);
SIS__WEAK void sis_memory_put(const struct sis_memory_taken *taken, void *to, size_t bytes,
			      const void *from);
SIS__WEAK void sis_memory_put_mapped(const struct sis_memory_taken *taken, void *to, size_t bytes,
				     const void *from);
#pragma GCC visibility pop

#endif
