/* SPDX-License-Identifier: BSD-3-Clause */
/* unify_image.c - a profile in memory as its nodes in a row; and bytes that grow. The thread that
 * is in MPI_Finalize, or ends the process.
 *
 * The process may still run: nodes that are made meanwhile are not in the image.
 */
#include <stdlib.h>
#include <string.h>

#include "merged_file/unify.h"

void sis__bytes_put(struct sis_bytes *bytes, const void *from, uint64_t length)
{
	uint64_t need = bytes->used + length;
	if (!bytes->counting && need > bytes->room && !bytes->failed) {
		uint64_t room = need > 2 * bytes->room ? need + 4096 : 2 * bytes->room;
		unsigned char *more = realloc(bytes->at, room);
		bytes->failed = !more;
		bytes->at = more ? more : bytes->at;
		bytes->room = more ? room : bytes->room;
	}
	if (bytes->failed)
		return;
	if (!bytes->counting && length)
		memcpy(bytes->at + bytes->used, from, length);
	bytes->used = need;
}

void sis__bytes_number(struct sis_bytes *bytes, uint64_t number)
{
	unsigned char out[SIS_NUMBER_MOST];
	sis__bytes_put(bytes, out, sis_number_put(out, number));
}

void sis__bytes_release(struct sis_bytes *bytes)
{
	free(bytes->at);
	*bytes = (struct sis_bytes){ 0 };
}

/* -- images ------------------------------------------------------------------------------------ */

const struct sis_chunk *sis__image_next(const struct sis_image *image,
					const struct sis_chunk *chunk, enum sis_chunk_kind kind)
{
	const char *base = (const char *)image->header;
	/* with put_chunk */
	uint64_t size = __atomic_load_n(&image->header->size, __ATOMIC_ACQUIRE);
	const char *at = chunk ? (const char *)chunk + chunk->size : base + SIS_PAGE;
	for (; (uint64_t)(at - base) < size; at += ((const struct sis_chunk *)at)->size)
		if (((const struct sis_chunk *)at)->kind == (uint32_t)kind)
			return (const struct sis_chunk *)at;
	return NULL;
}

bool sis__image_open(struct sis_image *image, const struct sis_profile_header *header)
{
	const struct sis_chunk *chunk = NULL;
	uint32_t count = 0;
	*image = (struct sis_image){ .header = header };
	while ((chunk = sis__image_next(image, chunk, SIS_CHUNK_NODES)))
		count++;
	image->chunk = calloc(count + 1, sizeof *image->chunk);
	if (!image->chunk)
		return false;
	while (image->chunks < count && (chunk = sis__image_next(image, chunk, SIS_CHUNK_NODES))) {
		uint64_t nodes = __atomic_load_n(&chunk->used, __ATOMIC_RELAXED) /
				 sizeof(struct sis_node);
		image->chunk[image->chunks++] = (struct sis_image_nodes){
			(const struct sis_node *)(const void *)(chunk + 1), nodes, image->nodes,
			chunk->slot
		};
		image->nodes += nodes;
	}
	return true;
}

void sis__image_close(struct sis_image *image)
{
	free(image->chunk);
	*image = (struct sis_image){ 0 };
}

uint64_t sis__image_node(const struct sis_image *image, const struct sis_node *address)
{
	uint64_t offset = (uint64_t)(uintptr_t)address - image->header->base;
	uint32_t low = 0, high = image->chunks;
	while (low < high) { /* the first chunk that begins after it */
		uint32_t middle = low + (high - low) / 2;
		if ((uint64_t)((const char *)image->chunk[middle].node -
			       (const char *)image->header) <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return 0;
	const struct sis_image_nodes *chunk = &image->chunk[low - 1];
	uint64_t within = offset -
			  (uint64_t)((const char *)chunk->node - (const char *)image->header);
	return within / sizeof(struct sis_node) < chunk->count
		       ? chunk->first + within / sizeof(struct sis_node) + 1
		       : 0;
}
