/* SPDX-License-Identifier: BSD-3-Clause */
/* instruction_before.c - decodes a function from its begin, which the unwinding table gives, to
 * find the instruction before a PC. Runs in the handler of the samples' signal, for its own thread.
 * Answers are remembered, because samples have few different PCs.
 *
 * If the PC is far from the function's begin, only the last KiB before the PC is decoded. This KiB
 * may begin inside an instruction. That does no harm: wherever a decoder begins, it finds the true
 * instructions after a few wrong ones.
 * LIMIT: in functions without an unwinding table, and so in statically linked programs, the
 * instruction before is not known.
 */
#include "blame/memory/module_memory.h"
#include "blame/memory/operand.h"
#include "blame/stacks/call_frames.h"
#include "blame/stacks/instruction_before.h"

#include <stddef.h>

enum { FAR = 4096, NEAR = 1024, LONGEST = 15 };

/* The length of the instruction before `pc`, in bytes; 0: not known. */
static uint32_t bytes_before(uint64_t pc)
{
	static const uint64_t no_registers[SIS_REGS];
	struct sis_call_frame frame;
	const void *table = sis__call_frames_of(pc);
	/* bytes that are no instruction may be decoded beyond `pc` */
	if (!table || !sis__call_frame(table, pc, NULL, &frame) ||
	    !sis__is_module_memory(pc + LONGEST))
		return 0;
	uint64_t at = pc - frame.begin > FAR ? pc - NEAR : frame.begin;
	uint32_t length = 0;
	bool leaves = true;
	while (at < pc) {
		struct sis_operand one = sis__operand((const uint8_t *)(uintptr_t)at,
						      no_registers, 0);
		length = one.length ? one.length : 1;
		leaves = one.leaves || one.length == 0;
		at += length;
	}
	return at == pc && !leaves ? length : 0;
}

uint64_t sis__instruction_before(struct sis_instructions *instructions, uint64_t pc)
{
	uint64_t slot = pc * 0x9e3779b97f4a7c15u >> 54 & (SIS_INSTRUCTIONS - 1);
	if (instructions->known[slot].pc != pc) {
		instructions->known[slot].before = bytes_before(pc);
		instructions->known[slot].pc = pc;
	}
	uint32_t before = instructions->known[slot].before;
	return before ? pc - before : 0;
}
