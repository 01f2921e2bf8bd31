/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/profile_write.c */
/* link: rtlib/output/merged_file/unify_file.c */
/* The file of all ranks: a profile that went through it is the same as one read from its own file.
 * Damage is named by its rank, never followed, and costs no other rank. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include <zstd.h>

#include "unit.h"
#include "experiment/read/unified_file.h"
#include "profile_write.h"
#include "rtlib/output/merged_file/unify.h"

/* Ranks 0 and 3 are packed, without the description that they have in common. Rank 1 is whole, and
 * rank 2 has written nothing. */
enum { RANKS = 4, EMPTY = 2, ALL = 1 << 0 | 1 << 1 | 1 << 3, ID = 77 };

static unsigned char *rank_profile(int rank, size_t *size)
{
	static const char *const names[] = { "main", "solve" };
	struct profile_writer *w = writer_new(rank, RANKS);
	writer_functions(w, names, 2);
	writer_text(w, "warning", rank == 1 ? "of one rank" : "of the others");
	uint64_t root = writer_thread(w, 0);
	uint64_t top = writer_node(w, 0, root, WRITER_FUNCTION(0), 1, 900000);
	writer_node(w, 0, top, WRITER_FUNCTION(1), 10 + (uint64_t)rank, 500000);
	return writer_take(w, SIS_STATE_ENDED, size);
}

/* -- the file ---------------------------------------------------------------------------------- */

static char path[UNIT_PATH + 16];

static struct sis_unified_slot slot_of(uint64_t offset, uint64_t bytes)
{
	struct sis_unified_slot slot = { offset, bytes, 0 };
	slot.checksum = sis_checksum(&slot, offsetof(struct sis_unified_slot, checksum));
	return slot;
}

/* The chunk with a profile's only description. */
static struct sis_chunk *description(unsigned char *profile)
{
	struct sis_chunk *chunk = (void *)(profile + SIS_PAGE);
	while (chunk->kind != SIS_CHUNK_UNIT)
		chunk = (void *)((char *)chunk + chunk->size);
	return chunk;
}

static int write_part(uint32_t rank, uint32_t profile_of, uint64_t id, uint64_t offset)
{
	size_t size, used;
	unsigned char *profile = rank_profile((int)profile_of, &size), *bytes = malloc(size);
	if (rank != 1)
		memset(description(profile) + 1, 0, description(profile)->used);
	used = rank == 1 ? size : ZSTD_compress(bytes, size, profile, size, 1);
	if (rank == 1)
		memcpy(bytes, profile, size);
	struct sis_unified_part part = { SIS_UNIFIED_PART, rank, id, used, size, rank != 1,
					 sis_checksum(bytes, used) };
	int failed = sis__unify_write_part(path, offset, &part, bytes);
	free(profile);
	free(bytes);
	return failed;
}

/* Returns the bytes of the file. */
static unsigned char *write_file(size_t *size)
{
	struct sis_unified_slot slot[RANKS];
	struct sis_unified_header head = {
		.magic = SIS_UNIFIED_MAGIC, .version = SIS_UNIFIED_VERSION,
		.endian = SIS_PROFILE_ENDIAN, .ranks = RANKS, .size = 2 * SIS_PAGE, .id = ID,
	};
	ck_assert_ptr_nonnull(mkdtemp(unit_template(path)));
	strcat(path, "/ranks.sis");
	unsigned char *profile = rank_profile(0, size);
	struct sis_chunk *common = description(profile);
	head.common = (struct sis_unified_common){ 1, common->used, common->used,
						   sis_checksum(common + 1, common->used) };
	for (uint32_t i = 0; i < RANKS; i++) {
		slot[i] = slot_of(head.size, i == 1 ? *size + SIS_PAGE : SIS_PAGE);
		head.size += slot[i].bytes;
	}
	head.checksum = sis_checksum(&head, offsetof(struct sis_unified_header, checksum));
	ck_assert_int_eq(sis__unify_write_head(path, &head, slot, common + 1), 0);
	free(profile);
	for (uint32_t i = 0; i < RANKS; i++)
		if (i != EMPTY)
			ck_assert_int_eq(write_part(i, i, ID, slot[i].offset), 0);
	*size = head.size;
	unsigned char *bytes = malloc(*size);
	FILE *file = fopen(path, "rb");
	ck_assert_uint_eq(fread(bytes, 1, *size, file), *size);
	fclose(file);
	return bytes;
}

static void write_bytes(const unsigned char *bytes, size_t size)
{
	FILE *file = fopen(path, "wb");
	ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
	fclose(file);
}

static void remove_file(void)
{
	unlink(path);
	*strrchr(path, '/') = 0;
	rmdir(path);
}

/* The set of the ranks that can be read; -1: the file is refused. Errors name file and rank. */
static int ranks_in_file(struct err *last)
{
	struct unified u;
	struct profile p;
	int ranks = 0;
	*last = (struct err){ 0 };
	if (unified_open(&u, path, last)) {
		ck_assert_ptr_nonnull(strstr(last->text, path));
		return -1;
	}
	for (uint32_t i = 0; i < u.head.ranks && i < RANKS; i++) {
		struct err err = { 0 };
		char name[sizeof path + 16];
		snprintf(name, sizeof name, "%s, rank %u: ", path, i);
		int rc = unified_profile(&u, i, &p, &err);
		if (rc > 0) {
			ck_assert_uint_eq(p.head.mpi_rank, i);
			ranks |= 1 << i;
			profile_release(&p);
		} else if (rc < 0) {
			ck_assert_msg(strncmp(err.text, name, strlen(name)) == 0, "%s", err.text);
			*last = err;
		}
	}
	unified_close(&u);
	return ranks;
}

/* What can be read when a byte of the file is another one. */
static int damaged_at(size_t at, unsigned char flip)
{
	struct err err;
	unsigned char byte, bad;
	int fd = open(path, O_RDWR);
	ck_assert_int_eq(pread(fd, &byte, 1, (off_t)at), 1);
	bad = byte ^ flip;
	ck_assert_int_eq(pwrite(fd, &bad, 1, (off_t)at), 1);
	int ranks = ranks_in_file(&err);
	ck_assert_int_eq(pwrite(fd, &byte, 1, (off_t)at), 1);
	close(fd);
	return ranks;
}

/* -- tests ------------------------------------------------------------------------------------- */

START_TEST(a_profile_comes_back_the_same)
{
	struct unified u;
	struct profile own, p;
	struct err err = { 0 };
	size_t size;
	free(write_file(&size));
	ck_assert_msg(unified_open(&u, path, &err) == 0, "%s", err.text);
	for (uint32_t i = 0; i < RANKS; i++) {
		ck_assert_int_eq(unified_profile(&u, i, &p, &err), i != EMPTY);
		if (i == EMPTY)
			continue;
		unsigned char *bytes = rank_profile((int)i, &size);
		ck_assert_int_eq(profile_parse(&own, "own", bytes, size, &err), 0);
		ck_assert_mem_eq(&own.head, &p.head, sizeof p.head);
		ck_assert_uint_eq(own.size, p.size);
		ck_assert_uint_eq(own.tu.n, 1);
		ck_assert_uint_eq(own.tu.at[0].length, p.tu.at[0].length);
		ck_assert_mem_eq(own.tu.at[0].json, p.tu.at[0].json, p.tu.at[0].length);
		ck_assert_mem_eq(own.bytes, p.bytes, p.size);
		ck_assert_uint_eq(own.node.n, p.node.n);
		ck_assert_mem_eq(own.node.at, p.node.at, p.node.n * sizeof *p.node.at);
		profile_release(&own);
		profile_release(&p);
	}
	unified_close(&u);
	ck_assert_int_eq(write_part(0, 0, ID + 1, 2 * SIS_PAGE), ESTALE); /* of another file */
	remove_file();
}
END_TEST

START_TEST(damage_costs_one_rank)
{
	size_t size;
	unsigned char *bytes = write_file(&size);
	const struct sis_unified_slot *slot = (const void *)(bytes + SIS_PAGE);
	for (size_t i = 0; i < sizeof(struct sis_unified_header); i++)
		ck_assert_int_eq(damaged_at(i, 1 << i % 8), -1);
	size_t common = ((struct sis_unified_header *)(void *)bytes)->common.used;
	for (size_t i = 0; i < common; i++)
		ck_assert_int_eq(damaged_at(SIS_PAGE + RANKS * sizeof *slot + i, 1), -1);
	for (size_t i = 0; i < RANKS * sizeof *slot; i++)
		ck_assert_int_eq(damaged_at(SIS_PAGE + i, 1 << i % 8),
				 ALL & ~(1 << i / sizeof *slot));
	for (uint32_t rank = 0; rank < RANKS; rank++) {
		const struct sis_unified_part *part = (const void *)(bytes + slot[rank].offset);
		for (size_t i = 0; i < sizeof *part + part->used; i += i < 200 ? 1 : 1499)
			if (i != offsetof(struct sis_unified_part, common) || part->common)
				ck_assert_int_eq(damaged_at(slot[rank].offset + i, 1 << i % 8),
						 ALL & ~(1 << rank)); /* else it has it already */
	}
	free(bytes);
	remove_file();
}
END_TEST

START_TEST(a_file_that_is_cut_keeps_whole_ranks)
{
	size_t size;
	struct err err;
	unsigned char *bytes = write_file(&size);
	const struct sis_unified_slot *slot = (const void *)(bytes + SIS_PAGE);
	size_t head = SIS_PAGE + RANKS * sizeof *slot +
		      ((struct sis_unified_header *)(void *)bytes)->common.used;
	for (size_t at = 0; at < size; at += at < 200 ? 1 : 2999) {
		int whole = 0;
		for (uint32_t rank = 0; rank < RANKS; rank++) {
			const struct sis_unified_part *part = (void *)(bytes + slot[rank].offset);
			if (part->size && slot[rank].offset + sizeof *part + part->used <= at)
				whole |= 1 << rank;
		}
		write_bytes(bytes, at);
		ck_assert_int_eq(ranks_in_file(&err), at < head ? -1 : whole);
		ck_assert_msg(whole == ALL || strstr(err.text, "truncated"), "%s", err.text);
	}
	free(bytes);
	remove_file();
}
END_TEST

/* What a file with right checksums may say all the same. */
START_TEST(no_number_is_trusted)
{
	size_t size;
	struct err err;
	unsigned char *bytes = write_file(&size);
	struct sis_unified_header *head = (void *)bytes;
	struct sis_unified_slot *slot = (void *)(bytes + SIS_PAGE), whole = slot[1];
	const uint64_t wrong[][2] = { { slot[0].offset, slot[0].bytes }, { 0, size },
				      { UINT64_MAX, 1 }, { 1, UINT64_MAX }, { size, SIS_PAGE },
				      { INT64_MAX, SIS_PAGE } };
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		slot[1] = slot_of(wrong[i][0], wrong[i][1]);
		write_bytes(bytes, size);
		ck_assert_int_eq(ranks_in_file(&err) & 3, 1);
	}
	slot[1] = whole;
	struct sis_unified_part *part = (void *)(bytes + slot[0].offset), right = *part;
	const uint64_t sizes[] = { 0, 1, part->used, part->size - 1, part->size + 1, UINT64_MAX };
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		part->size = sizes[i];
		write_bytes(bytes, size);
		ck_assert_int_eq(ranks_in_file(&err), ALL & ~1);
		*part = right;
		part->used = i == 2 ? part->used - 1 : sizes[i];
		part->checksum = sis_checksum(part + 1, part->used < size ? part->used : 0);
		write_bytes(bytes, size);
		ck_assert_int_eq(ranks_in_file(&err), ALL & ~1);
		*part = right;
	}
	for (uint64_t common = 0; common < 3; common++) {
		part->common = common;
		write_bytes(bytes, size);
		ck_assert_int_eq(ranks_in_file(&err), common == 1 ? ALL : ALL & ~1);
	}
	*part = right;
	const uint64_t counts[] = { INT32_MAX, UINT64_MAX, UINT64_MAX / sizeof *slot };
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		head->ranks = counts[i];
		head->checksum = sis_checksum(head, offsetof(struct sis_unified_header, checksum));
		write_bytes(bytes, size);
		ck_assert_int_eq(ranks_in_file(&err), -1);
	}
	head->ranks = RANKS;
	const uint64_t commons[][2] = { { 1, UINT64_MAX }, { UINT64_MAX, 1 }, { 0, 0 },
					{ size, 1 } };
	for (size_t i = 0; i < sizeof commons / sizeof *commons; i++) {
		head->common.used = commons[i][0], head->common.size = commons[i][1];
		head->common.checksum = sis_checksum(slot + RANKS, i == 0 ? 1 : 0);
		head->checksum = sis_checksum(head, offsetof(struct sis_unified_header, checksum));
		write_bytes(bytes, size);
		ck_assert_int_eq(ranks_in_file(&err), i == 2 ? 1 << 1 : -1);
	}
	free(bytes);
	remove_file();
}
END_TEST

START_TEST(a_profile_of_another_rank_is_refused)
{
	size_t size;
	struct err err;
	free(write_file(&size));
	ck_assert_int_eq(write_part(0, 3, ID, 2 * SIS_PAGE), 0);
	ck_assert_int_eq(ranks_in_file(&err), ALL & ~1);
	ck_assert_ptr_nonnull(strstr(err.text, "another process"));
	remove_file();
}
END_TEST

UNIT_MAIN("unified", a_profile_comes_back_the_same, damage_costs_one_rank,
	  a_file_that_is_cut_keeps_whole_ranks, no_number_is_trusted,
	  a_profile_of_another_rank_is_refused)
