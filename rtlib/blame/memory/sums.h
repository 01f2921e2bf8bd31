/* SPDX-License-Identifier: BSD-3-Clause */
/* sums.h - the sums of allocations by their call path (struct sis_memory). */
#ifndef SIS_SUMS_H
#define SIS_SUMS_H

#include "blame/memory/blocks.h"

#pragma GCC visibility push(hidden)

enum { SIS_SUMS_SLOTS = 1 << 16, SIS_SUMS_MOST = SIS_SUMS_SLOTS / 4 * 3 };

/* Only one thread at a time may call these functions. */
struct sis_memory *sis__sums_find(uint64_t stack, uint32_t kind); /* NULL: there is none */
/* Adds `sum`, whose memory the caller has made and is zero. Returns false if there are too many
 * sums. */
bool sis__sums_add(struct sis_memory *sum, uint64_t stack, uint32_t kind);
void sis__sums_clear(void);

/* Adds a new allocation to the sum. */
void sis__sum_begin(struct sis_memory *sum, uint64_t bytes, uint64_t ticks);
/* Subtracts freed memory from the sum: a block, or the freed part of a block. */
void sis__sum_end(struct sis_memory *sum, const struct sis_block *block, uint64_t ticks);
/* Called when a block of the sum keeps its address and changes its number of bytes. */
void sis__sum_resize(struct sis_memory *sum, uint64_t before, uint64_t bytes);

#pragma GCC visibility pop
#endif
