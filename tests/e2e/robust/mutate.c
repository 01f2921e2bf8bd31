/* mutate.c - damages a file as chance and malice do: mutate FILE SEED [mend]. Bytes are flipped,
 * words get values at which arithmetic goes wrong, ranges are moved, the end is cut. Then the
 * checksums of a profile or of a file of all ranks (schema/profile.h, unified.h) are put right:
 * always with `mend`, and for about half of the seeds without it. Otherwise the checksums would
 * show all damage. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile.h"
#include "unified.h"

struct file { unsigned char *bytes; size_t size; };

static uint64_t state;

static uint64_t next(uint64_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % n;
}

static bool is_profile(const struct file *f)
{
	return f->size >= SIS_PAGE &&
		memcmp(f->bytes, SIS_PROFILE_MAGIC,
		       sizeof((struct sis_profile_header *)0)->magic) == 0;
}

static bool is_unified(const struct file *f)
{
	const struct sis_unified_header *h = (const struct sis_unified_header *)f->bytes;
	return f->size >= SIS_PAGE && memcmp(h->magic, SIS_UNIFIED_MAGIC, sizeof h->magic) == 0;
}

static struct sis_chunk *chunk_at(const struct file *f, size_t at)
{
	struct sis_chunk *chunk = (struct sis_chunk *)(f->bytes + at);
	return at + sizeof *chunk <= f->size && chunk->magic == SIS_CHUNK_MAGIC ? chunk : NULL;
}

/* The part of a rank in a file of all ranks; NULL: there is none, or it is not whole. */
static struct sis_unified_part *part_of(const struct file *f, uint64_t rank)
{
	const struct sis_unified_header *h = (const struct sis_unified_header *)f->bytes;
	uint64_t slot = SIS_PAGE + rank * sizeof(struct sis_unified_slot), offset;
	if (rank >= h->ranks || slot > f->size - sizeof(struct sis_unified_slot))
		return NULL;
	memcpy(&offset, f->bytes + slot, sizeof offset);
	struct sis_unified_part *part = (struct sis_unified_part *)(f->bytes + offset);
	if (offset % 8 || f->size < sizeof *part || offset > f->size - sizeof *part ||
	    part->used > f->size - offset - sizeof *part)
		return NULL;
	return part;
}

static uint64_t descriptions_at(const struct sis_unified_header *h)
{
	return SIS_PAGE + h->ranks * sizeof(struct sis_unified_slot);
}

/* In the header, the index, the descriptions or a part. */
static size_t some_unified_place(const struct file *f)
{
	const struct sis_unified_header *h = (const struct sis_unified_header *)f->bytes;
	const struct sis_unified_part *part = h->ranks ? part_of(f, next(h->ranks)) : NULL;
	switch (next(8)) {
	case 0: return next(sizeof *h);
	case 1: return SIS_PAGE + next(h->ranks * sizeof(struct sis_unified_slot) + 1);
	case 2: return descriptions_at(h) + next(h->common.used % f->size + 1);
	default: break;
	}
	if (!part)
		return 0;
	return (size_t)((unsigned char *)part - f->bytes) + next(sizeof *part + part->used);
}

/* Where there is something: most pages of a profile are empty. */
static size_t some_place(const struct file *f)
{
	size_t at = is_unified(f) ? some_unified_place(f) : next(f->size);
	for (int i = 0; i < 200 && is_profile(f); i++, at = next(f->size)) {
		size_t page = at / SIS_PAGE * SIS_PAGE;
		const struct sis_chunk *chunk = chunk_at(f, page);
		if (page == 0)
			return next(sizeof(struct sis_profile_header));
		if (chunk && chunk->used && chunk->used < f->size - page)
			return page + next(sizeof *chunk + chunk->used);
	}
	return at < f->size ? at : 0;
}

static void set_word(const struct file *f, size_t at)
{
	static const uint64_t value[] = {
		0,	    1,	       UINT64_MAX, INT64_MAX, (uint64_t)INT64_MIN,
		UINT32_MAX, INT32_MAX, 1u << 31,   0x7fff
	};
	uint64_t word = next(3) ? value[next(sizeof value / sizeof *value)] : next(UINT32_MAX);
	size_t width = next(2) ? 8 : 4;
	at -= at % width;
	if (at + width <= f->size)
		memcpy(f->bytes + at, &word, width);
}

static void change_word(const struct file *f, size_t at)
{
	uint64_t word;
	at -= at % 8;
	if (at + sizeof word > f->size)
		return;
	memcpy(&word, f->bytes + at, sizeof word);
	word += (next(2) ? 1 : -1) * (UINT64_C(1) << next(40));
	memcpy(f->bytes + at, &word, sizeof word);
}

static void move_range(const struct file *f, size_t to)
{
	size_t from = some_place(f), length = 1 + next(300);
	if (from + length <= f->size && to + length <= f->size)
		memmove(f->bytes + to, f->bytes + from, length);
}

static void damage(struct file *f)
{
	size_t at = some_place(f);
	switch (next(8)) {
	case 0: case 1: f->bytes[at] ^= (unsigned char)(1u << next(8)); break;
	case 2: f->bytes[at] = (unsigned char)next(256); break;
	case 3: case 4: set_word(f, at); break;
	case 5: change_word(f, at); break;
	case 6: move_range(f, at); break;
	case 7: f->size = next(10) ? f->size : at; break;
	}
}

static void mend_checksums(const struct file *f)
{
	for (size_t at = SIS_PAGE; at + sizeof(struct sis_chunk) <= f->size; at += SIS_PAGE) {
		struct sis_chunk *chunk = chunk_at(f, at);
		if (chunk && chunk->used <= f->size - at - sizeof *chunk)
			chunk->checksum = sis_checksum(chunk + 1, chunk->used);
	}
}

/* Of the parts, of their places, of the descriptions, and of the header. */
static void mend_unified(const struct file *f)
{
	struct sis_unified_header *h = (struct sis_unified_header *)f->bytes;
	struct sis_unified_slot *slot = (struct sis_unified_slot *)(f->bytes + SIS_PAGE);
	uint64_t room = (f->size - SIS_PAGE) / sizeof *slot;
	struct sis_unified_part *part;
	for (uint64_t rank = 0; rank < h->ranks && rank < room; rank++) {
		if ((part = part_of(f, rank)))
			part->checksum = sis_checksum(part + 1, part->used);
		slot[rank].checksum =
			sis_checksum(&slot[rank], offsetof(struct sis_unified_slot, checksum));
	}
	uint64_t at = descriptions_at(h);
	if (at <= f->size && h->common.used <= f->size - at)
		h->common.checksum = sis_checksum(f->bytes + at, h->common.used);
	h->checksum = sis_checksum(h, offsetof(struct sis_unified_header, checksum));
}

static void mend_all(const struct file *f)
{
	if (is_profile(f))
		mend_checksums(f);
	else if (is_unified(f))
		mend_unified(f);
}

int main(int argc, char **argv)
{
	struct file f = { 0 };
	FILE *file = argc == 3 || argc == 4 ? fopen(argv[1], "rb") : NULL;
	if (!file || fseek(file, 0, SEEK_END))
		return 2;
	f.size = (size_t)ftell(file);
	f.bytes = calloc(1, f.size + 1);
	rewind(file);
	if (!f.bytes || !f.size || fread(f.bytes, 1, f.size, file) != f.size)
		return 2;
	fclose(file);
	state = strtoull(argv[2], NULL, 10) * 2654435761u + 1;
	for (int i = 0; i < 20; i++)
		next(2);
	bool mend = next(2) || argc == 4;
	for (uint64_t n = 1 + next(4); n && f.size; n--)
		damage(&f);
	if (mend)
		mend_all(&f);
	file = fopen(argv[1], "wb");
	return !file || fwrite(f.bytes, 1, f.size, file) != f.size || fclose(file) ? 2 : 0;
}
