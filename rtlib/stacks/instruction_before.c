/* SPDX-License-Identifier: BSD-3-Clause */
/* instruction_before.c - decodes a function from its begin, which the unwinding table knows. The
 * handler of the samples' signal, for its own thread. The answer is remembered, because samples
 * have few different PCs.
 *
 * If the PC is far from the function's begin, only the last KiB before the PC is decoded. This KiB
 * may begin inside an instruction. That does no harm: after some instructions, the decoder finds
 * the true ones, wherever it began.
 * LIMIT: in functions without an unwinding table, and so in statically linked programs, no
 * instruction before is known.
 */
#include "memory/module_memory.h"
#include "memory/operand.h"
#include "stacks/call_frames.h"
#include "stacks/instruction_before.h"

#include <stddef.h>

enum { FAR = 4096, NEAR = 1024, LONGEST = 15 };

/* The bytes of the instruction before; 0: not known. */
static uint32_t decode(uint64_t at, uint64_t pc)
{
	static const uint64_t no_registers[SIS_REGS];
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

static uint32_t search(uint64_t pc)
{
	struct sis_call_frame frame;
	const void *table = sis__call_frames_of(pc);
	/* what is decoded may reach beyond `pc` if it is no instruction */
	if (!table || !sis__call_frame(table, pc, NULL, &frame) ||
	    !sis__is_module_memory(pc + LONGEST))
		return 0;
	return decode(pc - frame.begin > FAR ? pc - NEAR : frame.begin, pc);
}

uint64_t sis__instruction_before(struct sis_instructions *instructions, uint64_t pc)
{
	uint64_t place = pc * 0x9e3779b97f4a7c15u >> 54 & (SIS_INSTRUCTIONS - 1);
	if (instructions->known[place].pc != pc) {
		instructions->known[place].before = search(pc);
		instructions->known[place].pc = pc;
	}
	uint32_t before = instructions->known[place].before;
	return before ? pc - before : 0;
}
