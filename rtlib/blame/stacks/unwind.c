/* SPDX-License-Identifier: BSD-3-Clause */
/* unwind.c - walks a call stack from frame to frame, by the unwinding tables (call_frames.h) of the
 * program and its libraries. Called in the handler of the samples' signal, for its own thread, and
 * by the sampler, for threads that are blocked.
 *
 * Frame pointers alone would give wrong stacks, because functions of libc and many libraries do not
 * set them. In such a function the frame pointer is still the caller's, and the walk would miss the
 * caller. So each frame is left by the unwinding table. If there is no table (generated code, some
 * assembly), the frame pointer is used, unless the code shows where its return address is. The rule
 * for a PC is remembered, because stacks have most PCs in common.
 *
 * No read can fail: each is inside the stack's bounds, and above the frame before.
 * LIMIT: on processors other than x86-64 only frame pointers are used. If a library does not set
 * frame pointers, a caller may be missing.
 */
#include "base/copy_memory.h"
#include "blame/stacks/call_frames.h"
#include "blame/stacks/unwind.h"
#include "stacks.h"

#include <string.h>
#include <ucontext.h>

/* Sanitizers would report these reads, because the stack is the memory of other functions. */
#define READS_STACKS __attribute__((no_sanitize("address", "thread")))

/* A function that a signal interrupts may use memory below its stack pointer. The function's table
 * may still say that registers are in this memory, although the function has just popped them. */
enum { RED_ZONE = 128 };
enum { SAVED = 6, STACK = 8 };
static const uint8_t callee_saved[SAVED] = { SIS_REG_BX, SIS_REG_FP, 12, 13, 14, 15 };

#ifdef __x86_64__
enum { HAS_TABLES = 1 };
#else
enum { HAS_TABLES = 0 };
#endif

struct walk {
	struct sis_registers now;
	uint64_t low, top, shift;
	struct sis_unwind_rules *rules;
	bool exact;    /* the PC is that of an instruction, not a return address */
	bool complete, guessed;
	uint8_t *room; /* sis_stack_memory.room */
};

#if defined __x86_64__
/* DWARF's numbers of registers, in the order in which the kernel stores them. */
static const uint8_t order[] = { 8, 9, 10, 11, 12, 13, 14, 15, 5, 4, 6, 3, 1, 0, 2, 7, 16 };

READS_STACKS void sis__registers_of(const ucontext_t *context, struct sis_registers *registers)
{
	for (unsigned i = 0; i < sizeof order; i++)
		registers->value[order[i]] = (uint64_t)context->uc_mcontext.gregs[i];
	registers->known = (1u << SIS_REGS) - 1;
}
#elif defined __aarch64__
void sis__registers_of(const ucontext_t *context, struct sis_registers *registers)
{
	registers->value[SIS_REG_FP] = context->uc_mcontext.regs[29];
	registers->value[SIS_REG_SP] = context->uc_mcontext.sp;
	registers->value[SIS_REG_PC] = context->uc_mcontext.pc;
	registers->known = 1u << SIS_REG_FP | 1u << SIS_REG_SP | 1u << SIS_REG_PC;
}
#else
void sis__registers_of(const ucontext_t *context, struct sis_registers *registers)
{
	(void)context;
	registers->known = 0;
}
#endif

static bool is_known(const struct sis_registers *registers, unsigned reg)
{
	return reg < SIS_REGS && registers->known >> reg & 1;
}

READS_STACKS static bool load(const struct walk *walk, uint64_t address, uint64_t *value)
{
	if (address % 8 != 0 || address < walk->low || address >= walk->top ||
	    walk->top - address < 8)
		return false;
	*value = *(const volatile uint64_t *)(uintptr_t)(address + walk->shift);
	return true;
}

/* -- the end of the frame ---------------------------------------------------------------------- */

/* Computes an expression. Only some operations are known: those that compilers use for functions
 * that align their stack, and those that linkers use for the table by which libraries are called.
 */
static bool compute(const struct walk *walk, const struct sis_call_frame *frame, uint64_t *result)
{
	uint64_t stack[STACK] = { 0 };
	unsigned depth = 0;
	const uint8_t *at = frame->expression, *end = at + frame->expression_length;
	while (at < end) {
		uint8_t code = *at++;
		if (code >= 0x70 && code <= 0x8f) { /* register + offset */
			int64_t offset = 0;
			unsigned shift = 0;
			uint8_t byte;
			do {
				byte = at < end ? *at++ : 0;
				offset |= (int64_t)(byte & 0x7f) << shift;
				shift += 7;
			} while ((byte & 0x80) && shift < 28);
			if (byte & 0x40)
				offset -= 1ll << shift;
			if (depth == STACK || !is_known(&walk->now, code - 0x70u))
				return false;
			stack[depth++] = walk->now.value[code - 0x70] + (uint64_t)offset;
		} else if (code >= 0x30 && code <= 0x4f) { /* a small number */
			if (depth == STACK)
				return false;
			stack[depth++] = code - 0x30u;
		} else if (code == 0x06) { /* memory */
			if (depth < 1 || !load(walk, stack[depth - 1], &stack[depth - 1]))
				return false;
		} else {
			if (depth < 2)
				return false;
			uint64_t b = stack[--depth], *a = &stack[depth - 1];
			switch (code) {
			case 0x1a: *a &= b; break;
			case 0x22: *a += b; break;
			case 0x24: *a = b < 64 ? *a << b : 0; break;
			case 0x2a: *a = (int64_t)*a >= (int64_t)b; break;
			default:   return false;
			}
		}
	}
	*result = stack[depth ? depth - 1 : 0];
	return depth == 1;
}

/* Enters the caller's frame, which begins where this one ends. caller->value must have the caller's
 * PC already. */
static bool enter_caller_at(struct walk *walk, uint64_t end, struct sis_registers *caller)
{
	if (end % 8 != 0 || end > walk->top)
		return false;
	caller->value[SIS_REG_SP] = end;
	caller->known |= 1u << SIS_REG_SP | 1u << SIS_REG_PC;
	walk->low = end - 8;
	walk->now = *caller;
	walk->exact = false;
	return true;
}

/* Enters the caller's frame, if the return address is at the end of this frame, as after a call. */
static bool enter_caller(struct walk *walk, uint64_t end, struct sis_registers *caller)
{
	return end > walk->now.value[SIS_REG_SP] &&
	       load(walk, end - 8, &caller->value[SIS_REG_PC]) &&
	       enter_caller_at(walk, end, caller);
}

/* -- one frame --------------------------------------------------------------------------------- */

/* Leaves a frame by a remembered rule. */
static bool leave_by_rule(struct walk *walk, const struct sis_unwind_rule *rule)
{
	if (!is_known(&walk->now, rule->cfa_register))
		return false;
	uint64_t end = walk->now.value[rule->cfa_register] + (uint64_t)(int64_t)rule->cfa_offset;
	struct sis_registers caller = { .known = 0 };
	for (unsigned i = 0; i < SAVED; i++) {
		unsigned reg = callee_saved[i];
		bool found = is_known(&walk->now, reg);
		caller.value[reg] = walk->now.value[reg];
		if (rule->saved >> i & 1)
			found = load(walk, end + (uint64_t)(8 * (int64_t)rule->at[i]),
				     &caller.value[reg]);
		caller.known |= (uint32_t)found << reg;
	}
	return enter_caller(walk, end, &caller);
}

/* Makes a rule, if the frame can be left by such a rule; most frames can. */
static bool make_rule(const struct sis_call_frame *frame, struct sis_unwind_rule *rule)
{
	if (frame->expression || frame->cfa_register >= SIS_REGS ||
	    frame->rule[SIS_REG_PC].kind != SIS_RULE_AT || frame->rule[SIS_REG_PC].offset != -8)
		return false;
	*rule = (struct sis_unwind_rule){ .cfa_register = frame->cfa_register,
					  .cfa_offset = frame->cfa_offset };
	for (unsigned i = 0; i < SAVED; i++) {
		int32_t offset = frame->rule[callee_saved[i]].offset;
		if (frame->rule[callee_saved[i]].kind == SIS_RULE_SAME)
			continue;
		if (frame->rule[callee_saved[i]].kind != SIS_RULE_AT || offset % 8 != 0 ||
		    offset < 8 * INT8_MIN || offset > 0)
			return false;
		rule->saved |= (uint8_t)(1u << i);
		rule->at[i] = (int8_t)(offset / 8);
	}
	return true;
}

/* Leaves the frame of a probe that the program's text jumps to (sis/gate_call.h). The probe's
 * return address is in a register, or not at the end of the frame. The end of the frame is the
 * text's stack pointer.
 */
static bool leave_to(struct walk *walk, const struct sis_call_frame *frame, uint64_t end,
		     struct sis_registers *caller)
{
	uint8_t kind = frame->rule[SIS_REG_PC].kind;
	int32_t offset = frame->rule[SIS_REG_PC].offset;
	if (kind == SIS_RULE_AT && offset == -8)
		return enter_caller(walk, end, caller);
	if (end < walk->now.value[SIS_REG_SP])
		return false;
	if (kind == SIS_RULE_AT) {
		if (!load(walk, end + (uint64_t)(int64_t)offset, &caller->value[SIS_REG_PC]))
			return false;
	} else {
		if (kind != SIS_RULE_IN || !is_known(&walk->now, (unsigned)offset))
			return false;
		caller->value[SIS_REG_PC] = walk->now.value[offset];
	}
	return enter_caller_at(walk, end, caller);
}

static bool leave_by_frame(struct walk *walk, const struct sis_call_frame *frame)
{
	uint64_t end;
	if (frame->expression) {
		if (!compute(walk, frame, &end))
			return false;
	} else {
		if (!is_known(&walk->now, frame->cfa_register))
			return false;
		end = walk->now.value[frame->cfa_register] + (uint64_t)(int64_t)frame->cfa_offset;
	}
	struct sis_registers caller = { .known = 0 };
	for (unsigned reg = 0; reg < SIS_REG_PC; reg++) {
		uint64_t at = end + (uint64_t)(int64_t)frame->rule[reg].offset;
		bool found = false;
		caller.value[reg] = walk->now.value[reg];
		if (frame->rule[reg].kind == SIS_RULE_SAME)
			found = is_known(&walk->now, reg) && (reg == SIS_REG_BX ||
				reg == SIS_REG_FP || reg >= 12);
		else if (frame->rule[reg].kind == SIS_RULE_AT)
			found = load(walk, at, &caller.value[reg]);
		caller.known |= (uint32_t)found << reg;
	}
	return leave_to(walk, frame, end, &caller);
}

/* Leaves the frame of a signal: when the kernel called the handler, it stored all registers at the
 * stack pointer. */
static bool leave_signal(struct walk *walk)
{
	uint64_t at = walk->now.value[SIS_REG_SP], unused;
	struct sis_registers caller;
	if (!load(walk, at, &unused) || !load(walk, at + sizeof(ucontext_t) / 8 * 8, &unused))
		return false;
	sis__registers_of((const ucontext_t *)(uintptr_t)(at + walk->shift), &caller);
	if (caller.value[SIS_REG_SP] <= at) /* the caller is on another stack */
		return false;
	walk->low = caller.value[SIS_REG_SP];
	walk->now = caller;
	walk->exact = true;
	return true;
}

static bool leave_by_frame_pointer(struct walk *walk)
{
	uint64_t at = walk->now.value[SIS_REG_FP];
	struct sis_registers caller = { .known = 1u << SIS_REG_FP };
	if (!is_known(&walk->now, SIS_REG_FP) || !load(walk, at, &caller.value[SIS_REG_FP]) ||
	    !enter_caller(walk, at + 16, &caller))
		return false;
	walk->guessed = true;
	return true;
}

/* -- generated code ---------------------------------------------------------------------------- */

/* Makes a rule for generated code to which a call returns, if nothing is left to do after the call:
 * the code frees room in the stack, and returns. The trampolines of Python's functions are such
 * code. The code is copied, because a return address that was guessed may be anywhere. */
static bool make_rule_of_end(uint64_t pc, struct sis_unwind_rule *rule)
{
	static const uint8_t add_to_sp[] = { 0x48, 0x83, 0xc4 };
	enum { ADD = sizeof add_to_sp, RETURN = 0xc3 };
	uint8_t code[ADD + 2];
	if (!HAS_TABLES || !sis__copy_memory(code, pc, sizeof code))
		return false;
	bool adds = memcmp(code, add_to_sp, ADD) == 0 && code[ADD] < 0x80;
	*rule = (struct sis_unwind_rule){ .cfa_register = SIS_REG_SP,
					  .cfa_offset = 8 + (adds ? code[ADD] : 0) };
	return code[adds ? ADD + 1 : 0] == RETURN;
}

/* -- a frame pointer that is not known --------------------------------------------------------- */

#ifdef __x86_64__
/* Whether a call of the function may return to this address: before the address is a direct call of
 * the function, or any call by a pointer. */
static bool may_return_to(uint64_t address, uint64_t function, uint8_t *room)
{
	enum { DIRECT = 5, CALL = 0xe8, BY_POINTER = 0xff };
	struct sis_call_frame frame;
	const void *table = sis__call_frames_of(address - 1);
	if (!table || !sis__call_frame(table, address - 1, room, &frame) ||
	    address - frame.begin < DIRECT)
		return false;
	uint8_t code[DIRECT];
	const uint8_t *end = code + DIRECT;
	if (!room)
		memcpy(code, (const uint8_t *)(uintptr_t)address - DIRECT, DIRECT);
	else if (!sis__copy_memory(code, address - DIRECT, DIRECT))
		return false;
	int32_t distance;
	memcpy(&distance, end - 4, sizeof distance);
	if (end[-DIRECT] == CALL && address + (uint64_t)(int64_t)distance == function)
		return true;
	for (int length = 2; length <= 3; length++) /* call *%reg, call *offset(%reg) */
		if (end[-length] == BY_POINTER && (end[1 - length] >> 3 & 7) == 2)
			return true;
	return false;
}
#else
static bool may_return_to(uint64_t address, uint64_t function, uint8_t *room)
{
	(void)address, (void)function, (void)room;
	return false;
}
#endif

/* Searches for the frame pointer of a function in a thread that waits. The function has stored its
 * caller's frame pointer beside its return address. The nearest address in the stack to which a
 * call of the function may return is treated as this return address. */
static bool find_frame_pointer(struct walk *walk, const struct sis_call_frame *frame)
{
	for (uint64_t at = walk->now.value[SIS_REG_SP]; at < walk->top; at += 8) {
		uint64_t address;
		if (!load(walk, at + 8, &address))
			return false;
		if (!may_return_to(address, frame->begin, walk->room))
			continue;
		walk->now.value[SIS_REG_FP] = at;
		walk->now.known |= 1u << SIS_REG_FP;
		walk->guessed = true;
		return true;
	}
	return false;
}

/* Goes on to the caller's frame. Returns false if there is no caller, or if it cannot be found. */
static bool leave(struct walk *walk)
{
	uint64_t pc = walk->now.value[SIS_REG_PC] - !walk->exact;
	const void *table = HAS_TABLES ? sis__call_frames_of(pc) : NULL;
	struct sis_unwind_rule rule, *known =
		&walk->rules->rule[pc * 0x9e3779b97f4a7c15u >> 54 & (SIS_UNWIND_RULES - 1)];
	if (known->pc == pc && known->table == table && (table || !walk->exact) &&
	    is_known(&walk->now, known->cfa_register))
		return leave_by_rule(walk, known);
	if (!table) {
		if (walk->exact || !make_rule_of_end(walk->now.value[SIS_REG_PC], &rule))
			return leave_by_frame_pointer(walk);
		rule.pc = pc;
		*known = rule;
		return leave_by_rule(walk, known);
	}
	struct sis_call_frame frame;
	if (!sis__call_frame(table, pc, walk->room, &frame))
		return leave_by_frame_pointer(walk);
	if (frame.rule[SIS_REG_PC].kind == SIS_RULE_UNDEFINED) {
		walk->complete = true;
		return false;
	}
	if (frame.is_signal)
		return leave_signal(walk);
	if (!frame.expression && frame.cfa_register == SIS_REG_FP && frame.cfa_offset == 16 &&
	    !is_known(&walk->now, SIS_REG_FP) && !find_frame_pointer(walk, &frame))
		return false;
	if (!make_rule(&frame, &rule))
		return leave_by_frame(walk, &frame);
	rule.pc = pc;
	rule.table = table;
	*known = rule;
	return leave_by_rule(walk, known);
}

struct sis_unwound sis__unwind_stack(struct sis_unwind_rules *rules,
				     const struct sis_registers *from,
				     struct sis_stack_memory stack, bool exact,
				     uint64_t *pc, uint64_t *ends, unsigned most)
{
	struct walk walk = { .now = *from, .low = from->value[SIS_REG_SP],
			     .top = stack.top, .shift = stack.shift, .rules = rules,
			     .exact = exact, .room = stack.room };
	struct sis_unwound result = { 0 };
	if (exact && !stack.shift)
		walk.low -= RED_ZONE;
	bool in_task = stack.task > from->value[SIS_REG_SP]; /* false: it is another stack */
	if (!is_known(from, SIS_REG_PC))
		return result;
	while (result.frames < most) {
		uint64_t here = walk.now.value[SIS_REG_PC];
		if (!walk.exact && here < SIS_PAGE) { /* the end of a stack in generated code */
			walk.complete = here == 0;
			break;
		}
		pc[result.frames++] = here | (walk.exact ? SIS_PC_EXACT : 0);
		bool left = leave(&walk);
		if (ends) /* the caller's stack pointer */
			ends[result.frames - 1] = left ? walk.now.value[SIS_REG_SP] : 0;
		if (!left)
			break;
		if (in_task && !result.inner && walk.now.value[SIS_REG_SP] > stack.task) {
			result.inner = result.frames;
			if (stack.inner)
				break;
		}
	}
	result.complete = walk.complete || result.inner;
	if (!result.inner)
		result.inner = result.frames;
	result.guessed = walk.guessed;
	return result;
}
