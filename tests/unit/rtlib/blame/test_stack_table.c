/* SPDX-License-Identifier: BSD-3-Clause */
/* link: rtlib/blame/stacks/stack_table.c rtlib/blame/stacks/filling.c */
/* Equal stacks are one record, and what finds no room is refused. */
#include "unit.h"

#include "blame/stacks/stack_table.h"

#include <string.h>

struct key { struct sis_stack head; uint64_t pc[8]; };

enum { CHUNKS = 2, CHUNK = 8 << 20 };
static _Alignas(64) char memory[CHUNKS][CHUNK];
static struct sis_stack *slots[SIS_STACK_SLOTS];
static int chunks;

static struct sis_chunk *new_chunk(uint64_t size)
{
	ck_assert_uint_le(size, CHUNK);
	ck_assert_int_lt(chunks, CHUNKS);
	struct sis_chunk *chunk = (struct sis_chunk *)memory[chunks++];
	memset(chunk, 0, CHUNK);
	chunk->size = size;
	return chunk;
}

static struct sis_stack_table new_table(uint64_t size)
{
	chunks = 0;
	memset(slots, 0, sizeof slots);
	return (struct sis_stack_table){ .slot = slots, .filling.spare = new_chunk(size) };
}

static struct key key_of(unsigned frames, uint64_t seed)
{
	struct key key = { .head = { .kind = SIS_STACK_RUNNING, .frames = (uint16_t)frames } };
	key.head.size = (uint32_t)(sizeof key.head + frames * sizeof key.pc[0]);
	for (unsigned i = 0; i < frames; i++)
		key.pc[i] = seed + i;
	return key;
}

START_TEST(equal_ones)
{
	struct sis_stack_table table = new_table(SIS_PAGE);
	struct key a = key_of(3, 1), b = key_of(3, 2), c = key_of(2, 1);
	struct sis_stack *first = sis__stack_add(&table, &a.head, 1, 10);
	ck_assert_ptr_nonnull(first);
	ck_assert_ptr_eq(sis__stack_add(&table, &a.head, 2, 20), first);
	ck_assert_uint_eq(first->count, 3);
	ck_assert_uint_eq(first->weight, 30);
	ck_assert_ptr_ne(sis__stack_add(&table, &b.head, 1, 1), first);
	ck_assert_ptr_ne(sis__stack_add(&table, &c.head, 1, 1), first);
	a.head.node = 8; /* each field of the head distinguishes */
	ck_assert_ptr_ne(sis__stack_add(&table, &a.head, 1, 1), first);
	ck_assert_uint_eq(table.stacks, 4);
	ck_assert_uint_eq(table.filling.chunk->used, 3 * (sizeof a.head + 24) + sizeof a.head + 16);
}
END_TEST

START_TEST(no_room)
{
	struct sis_stack_table table = new_table(SIS_PAGE);
	unsigned kept = 0;
	for (uint64_t i = 0; i < 200; i++) {
		struct key key = key_of(8, i * 100);
		kept += sis__stack_add(&table, &key.head, 1, 1) != NULL;
	}
	ck_assert_uint_eq(kept, (SIS_PAGE - sizeof(struct sis_chunk)) / (48 + 64));
	ck_assert(sis__stacks_want_chunk(&table));
	table.filling.spare = new_chunk(SIS_PAGE);
	ck_assert(!sis__stacks_want_chunk(&table));
	struct key key = key_of(8, 5000000), old = key_of(8, 0);
	ck_assert_ptr_nonnull(sis__stack_add(&table, &key.head, 1, 1));
	ck_assert_uint_eq(sis__stack_add(&table, &old.head, 1, 1)->count, 2);
}
END_TEST

START_TEST(full_table)
{
	struct sis_stack_table table = new_table(CHUNK);
	uint64_t kept = 0;
	for (uint64_t i = 0; i < SIS_STACK_SLOTS; i++) {
		struct key key = key_of(1, i * 7);
		kept += sis__stack_add(&table, &key.head, 1, 1) != NULL;
	}
	ck_assert_uint_eq(kept, SIS_STACKS_MOST);
	ck_assert(!sis__stacks_want_chunk(&table));
}
END_TEST

UNIT_MAIN("stack_table", equal_ones, no_room, full_table)
