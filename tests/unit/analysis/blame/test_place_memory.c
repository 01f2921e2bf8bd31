/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis */
/* test_place_memory.c - records of memory become objects: this program's own variables, and what
 * was allocated in its functions. */
#include "unit.h"

#include "blame/place/place_run.h"

#include <link.h>

static double table[50];

struct run {
	struct stacks stacks;
	struct placed placed;
	struct placed_memory memory;
};

/* The first object of the list is this program: its segment with code. */
static int take_segment(struct dl_phdr_info *info, size_t size, void *module)
{
	struct sis_stacks_module *m = module;
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
			continue;
		m->bias = info->dlpi_addr;
		m->start = info->dlpi_addr + segment->p_vaddr;
		m->end = m->start + segment->p_memsz;
	}
	return 1;
}

static void begin(struct run *r)
{
	*r = (struct run){ .stacks = { .head = { .least_bytes = 512,
						 .ticks_per_second = 1000, .memory_lost = 3 } } };
	struct stacks_module *m = vec_push(&r->stacks.module);
	m->path = mem_string("/proc/self/exe");
	dl_iterate_phdr(take_segment, &m->head);
}

static void access(struct run *r, struct sis_access in, uint32_t memory)
{
	in.slot = in.slot ? in.slot : SIS_NO_SLOT;
	*vec_push(&r->stacks.access) = (struct stacks_access){ in, memory };
}

/* Memory that was allocated in a call from `caller`. */
static void allocate(struct run *r, const void *caller)
{
	*vec_push(&r->stacks.pc) = (uint64_t)(uintptr_t)caller + 5;
	*vec_push(&r->stacks.stack) = (struct stacks_stack){
		.first = r->stacks.pc.n - 1, .frames = 1, .kind = SIS_STACK_ALLOCATION, .slot = 4,
		.origin = NONE };
	*vec_push(&r->stacks.memory) = (struct stacks_memory){
		.in = { .kind = SIS_MEMORY_HEAP, .allocations = 5, .freed = 2, .bytes = 4000,
			.most = 3000, .largest = 900, .life = 7 },
		.stack = (uint32_t)r->stacks.stack.n - 1 };
}

static void place(struct run *r)
{
	struct experiment x = { 0 };
	struct flow_program program = { 0 };
	const struct place_process process = { &r->stacks, NONE };
	struct err err = { "" };
	run_modules_add(&x.run.modules, process.stacks, NULL);
	ck_assert_int_eq(run_modules_find(&x.run.modules, &err), 0);
	place_run(&r->placed, &r->memory, &x, &program, &process, 1);
	run_modules_release(&x.run.modules);
}

static void end(struct run *r)
{
	placed_memory_release(&r->memory);
	placed_release(&r->placed);
	stacks_release(&r->stacks);
}

static const struct placed_object *object_of(const struct run *r, size_t access)
{
	ck_assert_uint_lt(access, r->memory.access.n);
	ck_assert_uint_lt(r->memory.access.at[access].object, r->memory.object.n);
	return &r->memory.object.at[r->memory.access.at[access].object];
}

START_TEST(allocations_have_a_path_and_sums)
{
	struct run r;
	begin(&r);
	allocate(&r, (const void *)(uintptr_t)begin);
	access(&r, (struct sis_access){ .kind = SIS_ACCESS_ALLOCATED, .count = 7, .slot = 1 }, 0);
	place(&r);
	ck_assert(r.memory.recorded);
	ck_assert_uint_eq(r.memory.least_bytes, 512);
	ck_assert_uint_eq(r.memory.lost, 3);
	ck_assert_uint_eq(r.memory.object.n, 1);
	ck_assert_int_eq(r.memory.object.at[0].kind, MEMORY_HEAP);
	ck_assert_uint_eq(r.memory.object.at[0].stack, 0);
	ck_assert_uint_eq(r.memory.placed.stack.n, 1);
	ck_assert_str_eq(r.memory.object.at[0].path, "begin");
	ck_assert_str_eq(r.memory.object.at[0].module, "exe");
	ck_assert_uint_eq(r.memory.allocation.n, 1);
	ck_assert_uint_eq(r.memory.allocation.at[0].life_ns, 7000000);
	ck_assert_uint_eq(r.memory.allocation.at[0].slot, 4);
	ck_assert_ptr_eq(object_of(&r, 0), &r.memory.object.at[0]);
	ck_assert_uint_eq(r.memory.access.at[0].count, 7);
	ck_assert_uint_eq(r.memory.access.at[0].slot, 1);
	end(&r);
}
END_TEST

/* Two addresses of a variable are two objects with its name; a page has no variable. */
START_TEST(static_data_has_variables)
{
	struct run r;
	begin(&r);
	uint64_t at = (uint64_t)(uintptr_t)table;
	access(&r, (struct sis_access){ .kind = SIS_ACCESS_STATIC, .place = at, .count = 1 }, NONE);
	access(&r, (struct sis_access){ .kind = SIS_ACCESS_STATIC, .place = at + 80, .count = 2 },
	       NONE);
	access(&r, (struct sis_access){ .kind = SIS_ACCESS_STATIC, .place = at & ~4095ull,
					.flags = SIS_ACCESS_COARSE, .count = 4 }, NONE);
	access(&r, (struct sis_access){ .kind = SIS_ACCESS_STATIC, .place = 16, .count = 8 }, NONE);
	place(&r);
	ck_assert_str_eq(object_of(&r, 0)->name, "table");
	ck_assert_str_eq(object_of(&r, 1)->name, "table");
	ck_assert_uint_eq(object_of(&r, 1)->bytes, sizeof table);
	ck_assert_str_eq(object_of(&r, 2)->name, "");
	ck_assert_str_eq(object_of(&r, 2)->module, "exe");
	ck_assert_str_eq(object_of(&r, 3)->module, "");
	end(&r);
}
END_TEST

START_TEST(what_has_no_address_has_its_kind)
{
	static const struct { uint16_t from; enum placed_memory_kind to; } kind[] = {
		{ SIS_ACCESS_NONE, MEMORY_NONE }, { SIS_ACCESS_UNKNOWN, MEMORY_UNKNOWN },
		{ SIS_ACCESS_OTHER, MEMORY_OTHER }, { SIS_ACCESS_ALLOCATED, MEMORY_UNKNOWN },
		{ SIS_ACCESS_STACK, MEMORY_STACK },
		{ SIS_ACCESS_THREAD_LOCAL, MEMORY_THREAD_LOCAL },
	};
	struct run r;
	begin(&r);
	for (size_t i = 0; i < sizeof kind / sizeof *kind; i++)
		access(&r, (struct sis_access){ .kind = kind[i].from, .place = 3, .offset = 1 << 20,
						.count = 1 }, NONE);
	place(&r);
	for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) {
		ck_assert_int_eq(object_of(&r, i)->kind, kind[i].to);
		ck_assert_str_eq(object_of(&r, i)->name, "");
		ck_assert_str_eq(object_of(&r, i)->module, "");
	}
	end(&r);
}
END_TEST

UNIT_MAIN("place_memory", allocations_have_a_path_and_sums, static_data_has_variables,
	  what_has_no_address_has_its_kind)
