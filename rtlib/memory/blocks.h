/* SPDX-License-Identifier: BSD-3-Clause */
/* blocks.h - the memory that is allocated now, by address.
 *
 * A block is an allocation that was not freed, or what is left of it. Blocks of one kind do not
 * overlap. A block of malloc may be inside a mapping, if the program has a malloc of its own: then
 * an address belongs to the former.
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
	uint64_t ticks;        /* of the allocation */
	uint32_t of;           /* offset of its struct sis_memory in the file */
	uint16_t kind;         /* enum sis_memory_kind */
	uint16_t is_part;      /* of an allocation that another block stands for */
};

/* Changes: one thread at a time, with signals blocked. */
bool sis__blocks_add(const struct sis_block *block); /* it overlaps none. False: no room */
/* Takes out the block that begins there. */
bool sis__blocks_take(uint16_t kind, uint64_t begin, struct sis_block *taken);
/* Takes out one whole block that overlaps the range. */
bool sis__blocks_take_in(uint16_t kind, uint64_t begin, uint64_t end, struct sis_block *taken);
/* Takes out what one block has in the range. What the block has outside stays; of two rests the
 * second one is a part. */
bool sis__blocks_cut(uint16_t kind, uint64_t begin, uint64_t end, struct sis_block *taken);
/* Whether one mapping has all addresses of the block. */
bool sis__blocks_has_around(const struct sis_block *block);
void sis__blocks_clear(void);

enum sis_block_found { SIS_BLOCK_NONE, SIS_BLOCK_FOUND, SIS_BLOCK_BUSY };
/* Which block has the address. Waits for nobody, so it may be called in a signal handler: BUSY:
 * another thread changes blocks now. */
enum sis_block_found sis__blocks_find(uint64_t address, struct sis_block *found);

/* False: no block of malloc begins there. A load and a comparison; without a lock. For memory that
 * the caller owns: nobody else adds or takes that block. */
bool sis__blocks_may_begin(uint64_t address);

#pragma GCC visibility pop
#endif
