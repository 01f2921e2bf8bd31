/* SPDX-License-Identifier: BSD-3-Clause */
/* sums.h - the sums of allocations by their call path (struct sis_memory). */
#ifndef SIS_SUMS_H
#define SIS_SUMS_H

#include "memory/blocks.h"

#pragma GCC visibility push(hidden)

enum { SIS_SUMS_SLOTS = 1 << 16, SIS_SUMS_MOST = SIS_SUMS_SLOTS / 4 * 3 };

/* All: one thread at a time. */
struct sis_memory *sis__sums_find(uint64_t stack, uint32_t kind); /* NULL: there is none */
/* Adds a sum, in memory that is zero and for it. False: there are too many. */
bool sis__sums_add(struct sis_memory *sum, uint64_t stack, uint32_t kind);
void sis__sums_clear(void);

/* An allocation begins. */
void sis__sum_begin(struct sis_memory *sum, uint64_t bytes, uint64_t ticks);
/* The block is gone: freed, or as much of it as the block says. */
void sis__sum_end(struct sis_memory *sum, const struct sis_block *block, uint64_t ticks);
/* The block stays where it is and has another number of bytes. */
void sis__sum_resize(struct sis_memory *sum, uint64_t before, uint64_t bytes);

#pragma GCC visibility pop
#endif
