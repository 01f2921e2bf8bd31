/* SPDX-License-Identifier: BSD-3-Clause */
/* accesses.c - finds to which memory an address belongs. Runs in the handler of the samples'
 * signal, so it takes no lock and allocates nothing. While another thread changes the index that is
 * needed, an access is unknown.
 *
 * Which instruction? An interrupt comes when the processor completes the oldest instruction that is
 * under way. So the thread has spent its time in this instruction, but is interrupted at the next
 * one. In a loop that waits for `addsd (%rax),%xmm0`, all samples are at the instruction after the
 * addsd. Hence the access of the instruction before the interrupted one counts. If that instruction
 * has no access, or is not known, the access of the interrupted instruction counts.
 *
 * Whose memory?
 *      below the thread pointer             thread-local variables
 *      from the stack pointer to the top    the frame whose end is the next one above
 *      in the index (blame/memory/blocks.h)       allocated
 *      in a segment of a module             static
 *
 * LIMIT: on processors other than x86-64 no address is known. Nor is the address of an instruction
 * known that is in no module, such as generated code.
 */
#include "blame/memory/blocks.h"
#include "blame/memory/module_memory.h"
#include "blame/memory/operand.h"
#include "blame/stacks/accesses.h"

#include <string.h>

/* Functions that call no other function may have variables below the stack pointer. */
enum { RED_ZONE = 128 };

static void find_frame(const struct sis_interrupted *at, uint64_t address,
		       struct sis_access *access)
{
	access->kind = SIS_ACCESS_OTHER;
	for (unsigned i = 0; i < at->frames; i++) {
		if (at->end[i] <= address)
			continue;
		access->kind = SIS_ACCESS_STACK;
		access->place = at->pc[i];
		access->offset = (int64_t)(address - at->end[i]);
		return;
	}
}

static void find_block(uint64_t address, struct sis_access *access)
{
	struct sis_block block;
	switch (sis__blocks_find(address, &block)) {
	case SIS_BLOCK_FOUND:
		access->kind = SIS_ACCESS_ALLOCATED;
		access->place = block.of;
		break;
	case SIS_BLOCK_BUSY:
		access->kind = SIS_ACCESS_UNKNOWN;
		break;
	case SIS_BLOCK_NONE:
		access->kind = SIS_ACCESS_OTHER;
		if (sis__is_module_memory(address)) {
			access->kind = SIS_ACCESS_STATIC;
			access->place = address;
		}
		break;
	}
}

static uint64_t thread_pointer(void)
{
	return (uint64_t)(uintptr_t)__builtin_thread_pointer();
}

#ifdef __x86_64__
static struct sis_operand operand_of(const struct sis_interrupted *at)
{
	uint64_t registers[SIS_REGS], pc = at->registers->value[SIS_REG_PC];
	if (!sis__is_module_memory(pc))
		return (struct sis_operand){ .kind = SIS_OPERAND_UNKNOWN };
	uint64_t before = sis__instruction_before(at->instructions, pc);
	memcpy(registers, at->registers->value, sizeof registers);
	registers[SIS_REG_PC] = before;
	struct sis_operand operand = { .kind = SIS_OPERAND_NONE };
	if (before && sis__is_module_memory(before)) /* its module may have been unloaded */
		operand = sis__operand_after((const uint8_t *)(uintptr_t)before, registers,
					     thread_pointer());
	if (operand.kind != SIS_OPERAND_NONE)
		return operand;
	return sis__operand((const uint8_t *)(uintptr_t)pc, at->registers->value, thread_pointer());
}
#else
static struct sis_operand operand_of(const struct sis_interrupted *at)
{
	(void)at;
	return (struct sis_operand){ .kind = SIS_OPERAND_UNKNOWN };
}
#endif

void sis__access_find(const struct sis_interrupted *at, struct sis_access *access)
{
	struct sis_operand operand = operand_of(at);
	access->kind = operand.kind == SIS_OPERAND_NONE ? SIS_ACCESS_NONE : SIS_ACCESS_UNKNOWN;
	if (operand.kind != SIS_OPERAND_MEMORY)
		return;
	uint64_t address = operand.address, below = thread_pointer() - address;
	uint64_t sp = at->registers->value[SIS_REG_SP];
	if (below != 0 && below <= sis__tls_bytes()) {
		access->kind = SIS_ACCESS_THREAD_LOCAL;
		access->offset = -(int64_t)below;
	} else if (at->top > sp && address < at->top && address >= sp - RED_ZONE) {
		find_frame(at, address, access);
	} else {
		find_block(address, access);
	}
}
