/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis */
/* The reader of samples: what was written comes back; a file of a killed process counts as far as
 * it was written; damage is an error or costs a record, and is never followed. */
#include "unit.h"

#include "experiment/read/stacks_read.h"

#include <stdlib.h>
#include <string.h>

enum { STACKS = SIS_PAGE, MODULES = 2 * SIS_PAGE, TEXTS = 3 * SIS_PAGE, MEMORY = 4 * SIS_PAGE,
       ACCESSES = 5 * SIS_PAGE, MAP = 6 * SIS_PAGE, SIZE = 7 * SIS_PAGE };

/* The origin is in the file after the stack that names it. */
static unsigned char file[SIZE];

static void put_chunk(size_t at, uint32_t kind, size_t used, bool ended)
{
	struct sis_chunk c = { .magic = SIS_CHUNK_MAGIC, .kind = kind, .size = SIS_PAGE,
			       .used = used, .slot = SIS_NO_SLOT };
	c.checksum = ended ? sis_checksum(file + at + sizeof c, used) : 0;
	memcpy(file + at, &c, sizeof c);
}

static size_t put_stack(size_t at, uint32_t slot, uint8_t kind, uint64_t origin, uint64_t pc)
{
	struct sis_stack s = { .size = sizeof s + 16, .frames = 2, .kind = kind, .slot = slot,
			       .origin = origin, .node = 64, .count = kind == SIS_STACK_RUNNING,
			       .weight = 4000000 };
	uint64_t pcs[2] = { pc, pc + 16 };
	memcpy(file + at, &s, sizeof s);
	memcpy(file + at + sizeof s, pcs, sizeof pcs);
	return at + s.size;
}

static void make_file(bool ended)
{
	struct sis_stacks_header head = { .magic = SIS_STACKS_MAGIC,
					  .version = SIS_STACKS_VERSION,
					  .endian = SIS_PROFILE_ENDIAN,
					  .state = ended ? SIS_STATE_ENDED : SIS_STATE_RUNNING,
					  .size = SIZE, .rate = 250, .metric = "WTIME" };
	struct sis_stacks_module module = { .size = sizeof module + 8, .path_length = 4,
					    .start = 0x1000, .end = 0x2000, .bias = 0x1000 };
	size_t first = STACKS + sizeof(struct sis_chunk), at = first;
	memset(file, 0, sizeof file);
	memcpy(file, &head, sizeof head);
	at = put_stack(at, 1, SIS_STACK_RUNNING, at + 64, 0x1100 | SIS_PC_EXACT);
	at = put_stack(at, 0, SIS_STACK_ORIGIN, 0, 0x1200);
	put_chunk(STACKS, SIS_CHUNK_STACKS, at - first, ended);
	at = MODULES + sizeof(struct sis_chunk);
	memcpy(file + at, &module, sizeof module);
	memcpy(file + at + sizeof module, "/a/b", 4);
	put_chunk(MODULES, SIS_CHUNK_MODULES, module.size, ended);
	memcpy(file + TEXTS + sizeof(struct sis_chunk), "method\tthe clock\0warning\tlate", 30);
	put_chunk(TEXTS, SIS_CHUNK_STACKS_TEXT, 30, ended);
	put_chunk(MEMORY, SIS_CHUNK_MEMORY, 0, ended);
	put_chunk(ACCESSES, SIS_CHUNK_ACCESSES, 0, ended);
	put_chunk(MAP, SIS_CHUNK_PERF_MAP, 0, ended);
}

static void put_map(const char *text, bool ended)
{
	memcpy(file + MAP + sizeof(struct sis_chunk), text, strlen(text));
	put_chunk(MAP, SIS_CHUNK_PERF_MAP, strlen(text), ended);
}

/* Memory that was allocated in the stack at `stack`, and two accesses of it and of no record. */
static void add_memory(uint64_t stack, bool ended)
{
	struct sis_memory memory = { .stack = stack, .kind = SIS_MEMORY_HEAP, .allocations = 3,
				     .freed = 1, .bytes = 9000, .alive = 5000, .most = 6000,
				     .largest = 4000 };
	struct sis_access access[2] = {
		{ .kind = SIS_ACCESS_ALLOCATED, .place = MEMORY + sizeof(struct sis_chunk),
		  .count = 7 },
		{ .kind = SIS_ACCESS_ALLOCATED, .place = 77, .count = 1 },
	};
	memcpy(file + MEMORY + sizeof(struct sis_chunk), &memory, sizeof memory);
	put_chunk(MEMORY, SIS_CHUNK_MEMORY, sizeof memory, ended);
	memcpy(file + ACCESSES + sizeof(struct sis_chunk), access, sizeof access);
	put_chunk(ACCESSES, SIS_CHUNK_ACCESSES, sizeof access, ended);
}

static int parse(struct stacks *stacks, size_t size)
{
	struct err err = { "" };
	int rc = stacks_parse(stacks, "stacks-here-1.sis", file, size, &err);
	ck_assert(rc == 0 || strstr(err.text, "stacks-here-1.sis"));
	return rc;
}

START_TEST(what_was_written_comes_back)
{
	struct stacks s;
	bool sure;
	make_file(true);
	ck_assert_int_eq(parse(&s, SIZE), 0);
	ck_assert_uint_eq(s.stack.n, 2);
	ck_assert_uint_eq(s.stack.at[0].origin, 1);
	ck_assert_uint_eq(s.stack.at[1].origin, NONE);
	ck_assert_uint_eq(s.stack.at[0].frames, 2);
	ck_assert_uint_eq(s.pc.at[s.stack.at[0].first], 0x1100 | SIS_PC_EXACT);
	ck_assert_uint_eq(s.pc.at[s.stack.at[1].first + 1], 0x1210);
	ck_assert_str_eq(stacks_module_at(&s, 0x1fff, &sure)->path, "/a/b");
	ck_assert(sure);
	ck_assert_ptr_null(stacks_module_at(&s, 0x2000, &sure));
	ck_assert_str_eq(s.method.at[0], "the clock");
	ck_assert_str_eq(s.warning.at[0], "late");
	stacks_release(&s);
}
END_TEST

START_TEST(memory_is_linked_with_its_stack_and_its_accesses)
{
	struct stacks s;
	make_file(true);
	size_t second = STACKS + sizeof(struct sis_chunk) + 64;
	put_stack(second, 0, SIS_STACK_ALLOCATION, 0, 0x1200);
	put_chunk(STACKS, SIS_CHUNK_STACKS, 128, true);
	add_memory(second, true);
	ck_assert_int_eq(parse(&s, SIZE), 0);
	ck_assert_uint_eq(s.memory.n, 1);
	ck_assert_uint_eq(s.memory.at[0].stack, 1);
	ck_assert_uint_eq(s.access.n, 2);
	ck_assert_uint_eq(s.access.at[0].memory, 0);
	ck_assert_uint_eq(s.access.at[1].memory, NONE);
	stacks_release(&s);
}
END_TEST

static const char *generated(const struct stacks *s, uint64_t address)
{
	const struct stacks_generated *found = stacks_generated_at(s, address);
	return found ? found->name : "";
}

START_TEST(generated_functions_have_names)
{
	struct stacks s;
	make_file(true);
	put_map("7f10 10 py::f:/a b/c.py\n5000 20 low\n7f20 8 g\n", true);
	ck_assert_int_eq(parse(&s, SIZE), 0);
	ck_assert_uint_eq(s.generated.n, 3);
	ck_assert_str_eq(generated(&s, 0x7f10), "py::f:/a b/c.py");
	ck_assert_str_eq(generated(&s, 0x7f1f), "py::f:/a b/c.py");
	ck_assert_str_eq(generated(&s, 0x7f20), "g");
	ck_assert_str_eq(generated(&s, 0x501f), "low");
	ck_assert_str_eq(generated(&s, 0x4fff), "");
	ck_assert_str_eq(generated(&s, 0x5020), "");
	ck_assert_str_eq(generated(&s, 0x7f28), "");
	stacks_release(&s);
}
END_TEST

/* The memory of functions was used again: that of `old` and `inner` by `new`, the end of `cut`, and
 * all of `same`. */
START_TEST(newer_generated_functions_count)
{
	struct stacks s;
	make_file(true);
	put_map("1000 100 old\n1080 20 inner\n3000 10 same\n2000 100 cut\n"
		"1000 90 new\n2080 10 end\n3000 20 again\n", true);
	ck_assert_int_eq(parse(&s, SIZE), 0);
	ck_assert_str_eq(generated(&s, 0x1000), "new");
	ck_assert_str_eq(generated(&s, 0x1085), "new");
	ck_assert_str_eq(generated(&s, 0x2000), "cut");
	ck_assert_str_eq(generated(&s, 0x2080), "end");
	ck_assert_str_eq(generated(&s, 0x2090), "");
	ck_assert_str_eq(generated(&s, 0x3018), "again");
	for (size_t i = 1; i < s.generated.n; i++)
		ck_assert_uint_le(s.generated.at[i - 1].end, s.generated.at[i].start);
	stacks_release(&s);
}
END_TEST

/* The program may write anything. The last line is cut. */
START_TEST(other_lines_of_a_perf_map_are_left_out)
{
	struct stacks s;
	make_file(true);
	put_map("\n \n-1 10 negative\n1000\n1000 \n1000 10\n1000 10 \n2000 0 empty\nxyz 1 a\n"
		"ffffffffffffffff 10 far\n3000 ffffffffffffffff long\n"
		"5000  10 spaces\n6000 10 good\n7000 10 cut", true);
	ck_assert_int_eq(parse(&s, SIZE), 0);
	ck_assert_uint_eq(s.generated.n, 1);
	ck_assert_str_eq(s.generated.at[0].name, "good");
	stacks_release(&s);
}
END_TEST

/* More was freed than allocated. In a file whose process was killed such a record is left out. */
START_TEST(impossible_memory_is_damage)
{
	struct stacks s;
	make_file(true);
	add_memory(0, true);
	file[MEMORY + sizeof(struct sis_chunk) + offsetof(struct sis_memory, freed)] = 4;
	put_chunk(MEMORY, SIS_CHUNK_MEMORY, sizeof(struct sis_memory), true);
	ck_assert_int_lt(parse(&s, SIZE), 0);
	make_file(false);
	add_memory(0, false);
	file[MEMORY + sizeof(struct sis_chunk) + offsetof(struct sis_memory, freed)] = 4;
	ck_assert_int_eq(parse(&s, SIZE), 0);
	ck_assert_uint_eq(s.memory.n, 0);
	ck_assert_uint_eq(s.access.at[0].memory, NONE);
	stacks_release(&s);
}
END_TEST

START_TEST(a_ring_of_origins_is_cut)
{
	struct stacks s;
	size_t first = STACKS + sizeof(struct sis_chunk);
	make_file(false);
	put_stack(first + 64, 0, SIS_STACK_ORIGIN, first + 64, 0x1200);
	ck_assert_int_eq(parse(&s, SIZE), 0);
	ck_assert_uint_eq(s.stack.n, 2);
	ck_assert(s.stack.at[0].origin == NONE || s.stack.at[1].origin == NONE);
	stacks_release(&s);
}
END_TEST

START_TEST(a_killed_process_left_what_it_had_written)
{
	struct stacks s;
	struct sis_stack half = { .size = 7 };
	make_file(false);
	memcpy(file + STACKS + sizeof(struct sis_chunk) + 64, &half, sizeof half);
	ck_assert_int_eq(parse(&s, SIZE), 0);
	ck_assert_uint_eq(s.stack.n, 1);
	stacks_release(&s);
}
END_TEST

START_TEST(damage_is_an_error)
{
	struct stacks s;
	make_file(true);
	file[STACKS + sizeof(struct sis_chunk) + 3]++;
	ck_assert_int_lt(parse(&s, SIZE), 0);
	make_file(true);
	ck_assert_int_lt(parse(&s, SIZE - 1), 0);
	ck_assert_int_lt(parse(&s, 10), 0);
	file[0]++;
	ck_assert_int_lt(parse(&s, SIZE), 0);
}
END_TEST

START_TEST(no_mutation_is_followed)
{
	srand(1);
	for (int round = 0; round < 20000; round++) {
		struct stacks s;
		bool sure;
		make_file(false);
		add_memory(STACKS + sizeof(struct sis_chunk), false);
		put_map("1000 100 old\n1080 20 inner\n3000 10 same\n", false);
		for (int i = 0; i < 1 + round % 5; i++) {
			size_t page = (size_t)(rand() % 7) * SIS_PAGE;
			file[page + (size_t)rand() % 300] ^= (unsigned char)(1 << rand() % 8);
		}
		if (parse(&s, round % 4 ? SIZE : (size_t)rand() % SIZE))
			continue;
		for (size_t i = 0; i < s.stack.n; i++) {
			ck_assert_uint_le(s.stack.at[i].first + s.stack.at[i].frames, s.pc.n);
			ck_assert(s.stack.at[i].origin == NONE || s.stack.at[i].origin < s.stack.n);
		}
		for (size_t i = 0; i < s.memory.n; i++)
			ck_assert(s.memory.at[i].stack == NONE || s.memory.at[i].stack < s.stack.n);
		for (size_t i = 0; i < s.access.n; i++)
			ck_assert(s.access.at[i].memory == NONE ||
				  s.access.at[i].memory < s.memory.n);
		stacks_module_at(&s, 0x1100, &sure);
		stacks_generated_at(&s, 0x1100);
		stacks_release(&s);
	}
}
END_TEST

UNIT_MAIN("stacks_read", what_was_written_comes_back,
	  memory_is_linked_with_its_stack_and_its_accesses, generated_functions_have_names,
	  newer_generated_functions_count, other_lines_of_a_perf_map_are_left_out,
	  impossible_memory_is_damage,
	  a_ring_of_origins_is_cut, a_killed_process_left_what_it_had_written, damage_is_an_error,
	  no_mutation_is_followed)
