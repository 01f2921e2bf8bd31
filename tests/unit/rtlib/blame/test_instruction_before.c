/* SPDX-License-Identifier: BSD-3-Clause */
// link: rtlib/blame/stacks/instruction_before.c rtlib/blame/stacks/call_frames.c
// link: rtlib/base/copy_memory.c rtlib/blame/memory/module_memory.c
// link: rtlib/blame/memory/operand*.c rtlib/blame/memory/instruction.c
/* The instruction before each of libc's, in some hundred functions, also large ones: the one that
 * was decoded before it. */
#include "unit.h"

#include "blame/memory/module_memory.h"
#include "blame/memory/operand.h"
#include "blame/stacks/call_frames.h"
#include "blame/stacks/instruction_before.h"

#include <dlfcn.h>

#ifdef __x86_64__

static struct sis_instructions instructions;

/* Where the function begins that has this address; 0: none. */
static uint64_t function_of(uint64_t address)
{
	struct sis_call_frame frame;
	const void *table = sis__call_frames_of(address);
	return table && sis__call_frame(table, address, NULL, &frame) ? frame.begin : 0;
}

START_TEST(all_of_libc)
{
	enum { BYTES = 300000 };
	static const uint64_t registers[SIS_REGS];
	struct sis_module_range all = { .begin = 0, .end = UINT64_MAX };
	uint64_t at = (uint64_t)(uintptr_t)dlsym(RTLD_DEFAULT, "qsort"), end = at + BYTES;
	unsigned compared = 0, functions = 0, large = 0;
	sis__module_memory_set(&all, 1, 0);
	while (at < end) {
		uint64_t begin = function_of(at), before = 0;
		if (!begin || begin != at) {
			at++;
			continue;
		}
		for (; at < end && function_of(at) == begin; compared++) {
			struct sis_operand one =
				sis__operand((const uint8_t *)(uintptr_t)at, registers, 0);
			uint64_t got = sis__instruction_before(&instructions, at);
			ck_assert_msg(got == before, "at %#llx + %#llx: %llx, not %llx",
				      (unsigned long long)begin, (unsigned long long)(at - begin),
				      (unsigned long long)got, (unsigned long long)before);
			ck_assert_uint_gt(one.length, 0);
			before = one.leaves ? 0 : at;
			at += one.length;
		}
		functions++;
		large += at - begin > 4096;
	}
	printf("# %u instructions of %u functions, %u of them large\n", compared, functions, large);
	ck_assert_uint_gt(functions, 100);
	ck_assert_uint_gt(large, 0);
}
END_TEST

UNIT_MAIN("instruction_before", all_of_libc)

#else

START_TEST(unknown) { ck_assert_int_eq(1, 1); } END_TEST
UNIT_MAIN("instruction_before", unknown)

#endif
