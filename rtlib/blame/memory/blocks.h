/* SPDX-License-Identifier: BSD-3-Clause */
/* blocks.h - the memory that is allocated now, by address.
 *
 * A block is an allocation that was not freed, or the rest of an allocation that was freed in part.
 * Blocks of one kind do not overlap. If the program has its own malloc, a block of malloc may be
 * inside of a mapping. Then an address that is in both belongs to the block of malloc.
 */
#ifndef SIS_BLOCKS_H
#define SIS_BLOCKS_H

#include "stacks.h"

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

enum { SIS_BLOCKS_MOST = 1 << 22 };

struct sis_block {
	uint64_t begin, end;   /* addresses */
	uint64_t ticks;        /* when it was allocated */
	uint32_t of;           /* offset of its struct sis_memory in the file */
	uint16_t kind;         /* enum sis_memory_kind */
	uint16_t is_part;      /* the allocation is counted at another one of its blocks */
};

/* One thread at a time calls the functions that change the index, with its signals blocked. */
bool sis__blocks_add(const struct sis_block *block); /* must not overlap another; false: no room */
/* Removes the block that begins at `begin`, and copies it to *taken. */
bool sis__blocks_take(uint16_t kind, uint64_t begin, struct sis_block *taken);
/* Removes one whole block that overlaps the range, and copies it to *taken. */
bool sis__blocks_take_in(uint16_t kind, uint64_t begin, uint64_t end, struct sis_block *taken);
/* Removes the part of one block that is in the range, and copies this part to *taken. The rest of
 * the block stays. If there is a rest on both sides, is_part is set in the second rest. */
bool sis__blocks_cut(uint16_t kind, uint64_t begin, uint64_t end, struct sis_block *taken);
/* Whether one mapping contains the whole block. */
bool sis__blocks_has_around(const struct sis_block *block);
void sis__blocks_clear(void);

enum sis_block_found { SIS_BLOCK_NONE, SIS_BLOCK_FOUND, SIS_BLOCK_BUSY };
/* Finds the block that contains the address. Never waits, so a signal handler may call it.
 * SIS_BLOCK_BUSY: another thread is changing blocks. */
enum sis_block_found sis__blocks_find(uint64_t address, struct sis_block *found);

/* Returns false if certainly no block of malloc begins at the address. The function is fast and
 * takes no lock. The caller must own the memory, so that no other thread adds or takes the block.
 */
bool sis__blocks_may_begin(uint64_t address);

#pragma GCC visibility pop
#endif
