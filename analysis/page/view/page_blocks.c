/* SPDX-License-Identifier: BSD-3-Clause */
/* page_blocks.c - compresses the blocks of a page, and writes them as base64. Owns their bytes.
 * Called by one thread. */
#include "page/view/page_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/compress.h"

static struct page_block compressed(const void *bytes, size_t n)
{
	struct page_block block;
	FILE *memory = open_memstream(&block.bytes, &block.n);
	if (!memory)
		return (struct page_block){ .bytes = mem_alloc(1, 1) };
	struct compressor *compressor = compress_new(memory, COMPRESS_RAW);
	compress_write(compressor, bytes, n);
	compress_finish(compressor);
	fclose(memory);
	return block;
}

size_t page_blocks_reserve(struct page_blocks *blocks)
{
	vec_push(&blocks->block);
	return blocks->block.n - 1;
}

void page_blocks_set(struct page_blocks *blocks, size_t number, const void *bytes, size_t n)
{
	blocks->block.at[number] = compressed(bytes, n);
}

size_t page_blocks_add(struct page_blocks *blocks, const void *bytes, size_t n)
{
	size_t number = page_blocks_reserve(blocks);
	page_blocks_set(blocks, number, bytes, n);
	return number;
}

size_t page_blocks_add_compressed(struct page_blocks *blocks, const void *bytes, size_t n)
{
	size_t number = page_blocks_reserve(blocks);
	struct page_block *block = &blocks->block.at[number];
	*block = (struct page_block){ mem_alloc(n, 1), n };
	if (n)
		memcpy(block->bytes, bytes, n);
	return number;
}

size_t page_blocks_trial(const void *bytes, size_t n)
{
	struct page_block block = compressed(bytes, n);
	free(block.bytes);
	return block.n;
}

/* -- base64 ------------------------------------------------------------------------------------ */

static size_t base64_length(size_t n) { return (n + 2) / 3 * 4; }

/* Writes the text of up to three bytes. */
static void put_three(char *text, const unsigned char *bytes, size_t n)
{
	static const char letter[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				     "0123456789+/";
	unsigned three = (unsigned)bytes[0] << 16 | (n > 1 ? (unsigned)bytes[1] << 8 : 0) |
		(n > 2 ? bytes[2] : 0);
	text[0] = letter[three >> 18];
	text[1] = letter[three >> 12 & 63];
	text[2] = n > 1 ? letter[three >> 6 & 63] : '=';
	text[3] = n > 2 ? letter[three & 63] : '=';
}

/* -- all blocks -------------------------------------------------------------------------------- */

static const char element[] = "<script type=\"text/plain\" id=\"block-%zu\">",
		  element_end[] = "</script>\n";

size_t page_blocks_size(const struct page_blocks *blocks)
{
	size_t size = 0;
	for (size_t i = 0; i < blocks->block.n; i++)
		size += base64_length(blocks->block.at[i].n) + sizeof element + sizeof element_end;
	return size;
}

void page_block_write(const struct page_block *block, FILE *out)
{
	enum { STEP = 3 * 4096 };
	const unsigned char *bytes = (const unsigned char *)block->bytes;
	char text[STEP / 3 * 4];
	for (size_t at = 0; at < block->n; at += STEP) {
		size_t part = block->n - at < STEP ? block->n - at : STEP;
		for (size_t i = 0; i < part; i += 3)
			put_three(text + i / 3 * 4, bytes + at + i, part - i);
		fwrite(text, 1, base64_length(part), out);
	}
}

void page_blocks_write(const struct page_blocks *blocks, FILE *out)
{
	for (size_t i = 0; i < blocks->block.n; i++) {
		const struct page_block *block = &blocks->block.at[i];
		fprintf(out, element, i);
		page_block_write(block, out);
		fputs(element_end, out);
	}
}

void page_blocks_release(struct page_blocks *blocks)
{
	for (size_t i = 0; i < blocks->block.n; i++)
		free(blocks->block.at[i].bytes);
	vec_free(&blocks->block);
}
