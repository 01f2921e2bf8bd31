/* SPDX-License-Identifier: BSD-3-Clause */
/* page_blocks.h - the blocks of a page: bytes that are compressed and kept until the page is
 * written. In the page, each block is an element with base64. */
#ifndef SIS_ANALYSIS_PAGE_BLOCKS_H
#define SIS_ANALYSIS_PAGE_BLOCKS_H

#include <stdio.h>

#include "base/mem.h"

struct page_block { char *bytes; size_t n; }; /* compressed */

struct page_blocks { VEC(struct page_block) block; }; /* all zeros is empty */

/* Compresses bytes as a new block, and returns its number. */
size_t page_blocks_add(struct page_blocks *blocks, const void *bytes, size_t n);
/* Adds a block of bytes that are already compressed, as one stream or several. */
size_t page_blocks_add_compressed(struct page_blocks *blocks, const void *bytes, size_t n);
/* Adds a block whose bytes page_blocks_set gives later. Returns its number. */
size_t page_blocks_reserve(struct page_blocks *blocks);
void page_blocks_set(struct page_blocks *blocks, size_t number, const void *bytes, size_t n);
/* The size that a block of these bytes would have. */
size_t page_blocks_trial(const void *bytes, size_t n);
/* The bytes that all blocks take in the page. */
size_t page_blocks_size(const struct page_blocks *blocks);
/* Writes one block as base64. */
void page_block_write(const struct page_block *block, FILE *out);
/* Writes all blocks as elements of the page. */
void page_blocks_write(const struct page_blocks *blocks, FILE *out);
void page_blocks_release(struct page_blocks *blocks);

#endif
