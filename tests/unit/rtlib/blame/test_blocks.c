/* SPDX-License-Identifier: BSD-3-Clause */
/* link: rtlib/blame/memory/blocks.c */
/* The index of what is allocated: random changes beside a plain model, and readers meanwhile. */
#include "unit.h"

#include "blame/memory/blocks.h"

#include <pthread.h>

enum { PLACES = 400, ROUNDS = 30000 };
#define FROM 0x7f0000000000u

/* Of each place of 16 bytes: the block of a kind that has it. */
static struct sis_block model[2][PLACES];

static uint64_t address_of(int place) { return FROM + 16u * (unsigned)place; }
static int place_of(uint64_t address) { return (int)((address - FROM) / 16); }

static void set_model(const struct sis_block *block, const struct sis_block *value)
{
	for (int i = place_of(block->begin); i < place_of(block->end); i++)
		model[block->kind - 1][i] = *value;
}

static void check_find(int place)
{
	struct sis_block found;
	const struct sis_block *want = &model[0][place];
	if (!want->of)
		want = &model[1][place];
	enum sis_block_found got = sis__blocks_find(address_of(place) + (unsigned)rand() % 16,
						    &found);
	ck_assert_int_eq(got, want->of ? SIS_BLOCK_FOUND : SIS_BLOCK_NONE);
	if (got == SIS_BLOCK_FOUND) {
		ck_assert_uint_eq(found.of, want->of);
		ck_assert_uint_eq(found.kind, want->kind);
	}
}

/* What the model has in the range, in places. */
static int overlap(uint16_t kind, uint64_t begin, uint64_t end)
{
	int places = 0;
	for (int i = place_of(begin); i < place_of(end); i++)
		places += model[kind - 1][i].of != 0;
	return places;
}

static struct sis_block random_block(uint32_t of)
{
	int from = rand() % (PLACES - 1), places = 1 + rand() % 20;
	if (from + places > PLACES)
		places = PLACES - from;
	return (struct sis_block){ .begin = address_of(from), .end = address_of(from + places),
				   .of = of, .ticks = of, .kind = (uint16_t)(1 + rand() % 2) };
}

static const struct sis_block nothing;

static void add_random(uint32_t of)
{
	struct sis_block block = random_block(of), taken;
	int before = overlap(block.kind, block.begin, block.end), gone = 0;
	bool whole = rand() % 2;
	while (whole ? sis__blocks_take_in(block.kind, block.begin, block.end, &taken)
		     : sis__blocks_cut(block.kind, block.begin, block.end, &taken)) {
		gone += overlap(block.kind, taken.begin, taken.end);
		ck_assert_uint_eq(model[block.kind - 1][place_of(taken.begin)].of, taken.of);
		set_model(&taken, &nothing);
	}
	ck_assert_int_ge(gone, before);
	ck_assert_int_eq(overlap(block.kind, block.begin, block.end), 0);
	ck_assert(sis__blocks_add(&block));
	set_model(&block, &block);
	ck_assert(block.kind != SIS_MEMORY_HEAP || sis__blocks_may_begin(block.begin));
}

/* The place of a block's begin, if there is a block. */
static int begin_of(int kind, int place)
{
	uint32_t of = model[kind][place].of;
	while (of && place > 0 && model[kind][place - 1].of == of)
		place--;
	return place;
}

static void take_random(void)
{
	int kind = rand() % 2, place = begin_of(kind, rand() % PLACES);
	struct sis_block taken;
	bool is_there = model[kind][place].of != 0;
	bool found = sis__blocks_take((uint16_t)(kind + 1), address_of(place), &taken);
	ck_assert_int_eq(found, is_there);
	if (found)
		set_model(&taken, &nothing);
}

START_TEST(as_the_model)
{
	srand(7);
	memset(model, 0, sizeof model);
	for (uint32_t round = 1; round <= ROUNDS; round++) {
		if (rand() % 3)
			add_random(round);
		else
			take_random();
		check_find(rand() % PLACES);
	}
	sis__blocks_clear();
	ck_assert_int_eq(sis__blocks_find(FROM, &(struct sis_block){ 0 }), SIS_BLOCK_NONE);
}
END_TEST

START_TEST(holes)
{
	struct sis_block block = { .begin = 0x1000, .end = 0x9000, .of = 1,
				   .kind = SIS_MEMORY_MAPPING }, taken;
	sis__blocks_add(&block);
	ck_assert(sis__blocks_cut(SIS_MEMORY_MAPPING, 0x3000, 0x4000, &taken));
	ck_assert(taken.is_part && taken.begin == 0x3000 && taken.end == 0x4000);
	ck_assert(!sis__blocks_cut(SIS_MEMORY_MAPPING, 0x3000, 0x4000, &taken));
	ck_assert(sis__blocks_cut(SIS_MEMORY_MAPPING, 0x4000, 0x5000, &taken)); /* of the rest */
	ck_assert(taken.is_part && taken.begin == 0x4000 && taken.end == 0x5000);
	ck_assert_int_eq(sis__blocks_find(0x4800, &taken), SIS_BLOCK_NONE);
	ck_assert(sis__blocks_cut(SIS_MEMORY_MAPPING, 0, 0x2000, &taken));
	ck_assert(taken.is_part && taken.begin == 0x1000 && taken.end == 0x2000);
	ck_assert(sis__blocks_cut(SIS_MEMORY_MAPPING, 0, 0x3000, &taken)); /* the first rest */
	ck_assert(!taken.is_part && taken.begin == 0x2000 && taken.end == 0x3000);
	ck_assert(sis__blocks_take(SIS_MEMORY_MAPPING, 0x5000, &taken));
	ck_assert(taken.is_part && taken.end == 0x9000);
	ck_assert(!sis__blocks_take_in(SIS_MEMORY_MAPPING, 0, UINT64_MAX, &taken));
	sis__blocks_clear();
}
END_TEST

START_TEST(kinds)
{
	struct sis_block mapping = { .begin = 0x1000, .end = 0x9000, .of = 1,
				     .kind = SIS_MEMORY_MAPPING };
	struct sis_block inside = { .begin = 0x2000, .end = 0x2100, .of = 2,
				    .kind = SIS_MEMORY_HEAP }, found;
	sis__blocks_add(&mapping);
	sis__blocks_add(&inside);
	ck_assert_int_eq(sis__blocks_find(0x2000, &found), SIS_BLOCK_FOUND);
	ck_assert_uint_eq(found.of, 2);
	ck_assert_int_eq(sis__blocks_find(0x2100, &found), SIS_BLOCK_FOUND);
	ck_assert_uint_eq(found.of, 1);
	sis__blocks_clear();
}
END_TEST

/* Millions of blocks, in the order of their addresses: the tree must not become a list. */
START_TEST(many)
{
	struct sis_block found;
	unsigned refused = 0, wrong = 0;
	for (uint32_t i = 1; i < SIS_BLOCKS_MOST; i++) {
		struct sis_block block = { .begin = FROM + 64ull * i, .end = FROM + 64ull * i + 48,
					   .of = i, .kind = SIS_MEMORY_HEAP };
		refused += !sis__blocks_add(&block);
	}
	ck_assert_uint_eq(refused, 0);
	struct sis_block more = { .begin = 1, .end = 2, .kind = SIS_MEMORY_HEAP };
	ck_assert(!sis__blocks_add(&more));
	for (uint32_t i = 1; i < SIS_BLOCKS_MOST; i += 97) {
		wrong += sis__blocks_find(FROM + 64ull * i + 47, &found) != SIS_BLOCK_FOUND ||
			 found.of != i ||
			 sis__blocks_find(FROM + 64ull * i + 48, &found) != SIS_BLOCK_NONE;
	}
	ck_assert_uint_eq(wrong, 0);
	ck_assert(sis__blocks_take(SIS_MEMORY_HEAP, FROM + 64, &found));
	ck_assert(sis__blocks_add(&more));
	sis__blocks_clear();
}
END_TEST

/* -- readers ----------------------------------------------------------------------------------- */

static int stop;
static unsigned answers, busy;

/* Every second place always has its block, which ends 16 bytes further. */
static void *look(void *unused)
{
	unsigned seed = 3, mine = 0, in_vain = 0;
	do {
		struct sis_block found;
		unsigned place = (unsigned)rand_r(&seed) % 1000 * 2;
		enum sis_block_found got = sis__blocks_find(FROM + 16 * place + 8, &found);
		ck_assert_int_ne(got, SIS_BLOCK_NONE);
		if (got == SIS_BLOCK_FOUND)
			ck_assert_uint_eq(found.of, place + 1);
		mine += got == SIS_BLOCK_FOUND;
		in_vain += got == SIS_BLOCK_BUSY;
		/* The writer may end before this thread has found a block; then nothing is busy. */
	} while (!__atomic_load_n(&stop, __ATOMIC_RELAXED) || mine == 0);
	__atomic_add_fetch(&answers, mine, __ATOMIC_RELAXED);
	__atomic_add_fetch(&busy, in_vain, __ATOMIC_RELAXED);
	return unused;
}

START_TEST(readers)
{
	pthread_t thread[2];
	struct sis_block taken;
	srand(5);
	for (unsigned place = 0; place < 2000; place += 2)
		sis__blocks_add(&(struct sis_block){ .begin = FROM + 16 * place,
						     .end = FROM + 16 * place + 16,
						     .of = place + 1, .kind = 1 });
	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, look, NULL);
	for (int round = 0; round < 30000; round++) {
		unsigned place = (unsigned)rand() % 1000 * 2 + 1;
		if (!sis__blocks_take(1, FROM + 16 * place, &taken))
			sis__blocks_add(&(struct sis_block){ .begin = FROM + 16 * place,
							     .end = FROM + 16 * place + 16,
							     .of = place + 1, .kind = 1 });
	}
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	ck_assert_uint_gt(answers, 0);
	sis__blocks_clear();
}
END_TEST

UNIT_MAIN("blocks", as_the_model, holes, kinds, many, readers)
