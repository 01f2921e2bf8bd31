/* SPDX-License-Identifier: BSD-3-Clause */
/* page_blocks.h - the blocks of a page: bytes that are compressed and kept until the page is
 * written. The page has each as base64 in an element of its own. */
#ifndef SIS_ANALYSIS_PAGE_BLOCKS_H
#define SIS_ANALYSIS_PAGE_BLOCKS_H

#include <stdio.h>

#include "base/mem.h"

struct page_block { char *bytes; size_t n; }; /* compressed */

struct page_blocks { VEC(struct page_block) block; }; /* all zeros is empty */

/* Compresses bytes as a new block, and returns its number. */
size_t page_blocks_add(struct page_blocks *blocks, const void *bytes, size_t n);
/* The same of bytes that are compressed already, as one stream or several. */
size_t page_blocks_add_compressed(struct page_blocks *blocks, const void *bytes, size_t n);
/* A new block whose bytes are given later, by page_blocks_set. */
size_t page_blocks_reserve(struct page_blocks *blocks);
void page_blocks_set(struct page_blocks *blocks, size_t number, const void *bytes, size_t n);
/* How many bytes these become as a block. */
size_t page_blocks_trial(const void *bytes, size_t n);
/* Bytes of all blocks in the page. */
size_t page_blocks_size(const struct page_blocks *blocks);
/* Writes one block as base64. */
void page_block_write(const struct page_block *block, FILE *out);
/* Writes all of them as elements of the page. */
void page_blocks_write(const struct page_blocks *blocks, FILE *out);
void page_blocks_release(struct page_blocks *blocks);

#endif
