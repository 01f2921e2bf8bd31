/* SPDX-License-Identifier: BSD-3-Clause */
/* link: rtlib/blame/stacks/unwind.c rtlib/blame/stacks/call_frames.c rtlib/base/copy_memory.c */
/* The walk of a stack, compared with libgcc's: from signal handlers in the program, in functions of
 * libc that call back, in a handler inside a handler, with an aligned stack; and on a damaged one,
 * where it must end. */
#include "unit.h"

#include "stacks.h"
#include "blame/stacks/call_frames.h"
#include "blame/stacks/unwind.h"

#include <execinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST = 64 };
static struct sis_unwind_rules rules;
static uint64_t walked[MOST];
static void *wanted[MOST];
static struct sis_unwound result;
static int wanted_count;

extern void *__libc_stack_end;

/* Of the tables' copies, as the sampler walks other threads' stacks. */
static uint64_t by_copies[MOST];
static struct sis_unwound copied;

static uint64_t bare(uint64_t pc) { return pc & ~SIS_PC_EXACT; }

static void walk(int number, siginfo_t *info, void *context)
{
	struct sis_registers registers;
	struct sis_stack_memory stack = { .top = (uint64_t)(uintptr_t)__libc_stack_end };
	(void)number, (void)info;
	sis__registers_of(context, &registers);
	result = sis__unwind_stack(&rules, &registers, stack, true, walked, NULL, MOST);
	wanted_count = backtrace(wanted, MOST);
	static struct sis_unwind_rules other_rules;
	static uint8_t room[SIS_CALL_FRAME_ROOM];
	memset(&other_rules, 0, sizeof other_rules);
	stack.room = room;
	copied = sis__unwind_stack(&other_rules, &registers, stack, true, by_copies, NULL, MOST);
}

/* The frames of the handler, and of the kernel's return from it, are libgcc's only. */
static void compare(unsigned least)
{
	int skipped = 0;
	ck_assert_uint_eq(copied.frames, result.frames);
	ck_assert_mem_eq(by_copies, walked, result.frames * sizeof walked[0]);
	while (skipped < wanted_count &&
	       (uint64_t)(uintptr_t)wanted[skipped] != bare(walked[0]))
		skipped++;
	ck_assert_int_lt(skipped, wanted_count);
	ck_assert_uint_ge(result.frames, least);
	ck_assert_int_eq((int)result.frames, wanted_count - skipped);
	for (unsigned i = 0; i < result.frames; i++)
		ck_assert_uint_eq(bare(walked[i]), (uint64_t)(uintptr_t)wanted[skipped + (int)i]);
	ck_assert(result.complete);
	ck_assert(!result.guessed);
	ck_assert(walked[0] & SIS_PC_EXACT);
}

static void catch(int number)
{
	struct sigaction action = { .sa_sigaction = walk, .sa_flags = SA_SIGINFO | SA_NODEFER };
	sigaction(number, &action, NULL);
}

static int order(const void *a, const void *b)
{
	static int calls;
	if (calls++ == 3)
		raise(SIGUSR1);
	return *(const int *)a - *(const int *)b;
}

__attribute__((noinline)) static int recurse(int n)
{
	volatile int here = n;
	if (n == 0)
		raise(SIGUSR1);
	else
		recurse(n - 1);
	return here;
}

static void raise_signal(void)
{
	raise(SIGUSR1);
}

/* Its end is computed from a register that compilers use for this alone. */
__attribute__((noinline)) static int aligned(int n)
{
	volatile _Alignas(64) char room[64 + 64];
	room[0] = (char)n;
	raise(SIGUSR1);
	return room[0];
}

START_TEST(functions)
{
	catch(SIGUSR1);
	for (int i = 0; i < 3; i++) { /* the second time by what is remembered */
		recurse(10);
		compare(12);
	}
}
END_TEST

START_TEST(libc_calls_back)
{
	int numbers[64];
	catch(SIGUSR1);
	for (int i = 0; i < 64; i++)
		numbers[i] = i * 37 % 64;
	qsort(numbers, 64, sizeof numbers[0], order);
	compare(4);
}
END_TEST

START_TEST(aligned_stack)
{
	catch(SIGUSR1);
	aligned(1);
	compare(3);
}
END_TEST

static void nested(int number)
{
	(void)number;
	recurse(2);
}

START_TEST(handler_inside)
{
	struct sigaction action = { .sa_handler = nested };
	catch(SIGUSR1);
	sigaction(SIGUSR2, &action, NULL);
	raise(SIGUSR2);
	compare(8);
	unsigned exact = 0;
	for (unsigned i = 0; i < result.frames; i++)
		exact += walked[i] >> 63;
	ck_assert_uint_eq(exact, 2); /* the instruction that each handler interrupted */
}
END_TEST

/* Any registers on any stack: the walk ends, and reads only what it was given. */
START_TEST(damaged)
{
	static uint64_t stack[256];
	const uint64_t base = (uint64_t)(uintptr_t)stack, code = (uint64_t)(uintptr_t)recurse;
	struct sis_registers registers;
	srand(1);
	for (int round = 0; round < 20000; round++) {
		for (int i = 0; i < 256; i++)
			stack[i] = rand() % 4 ? base + 8 * ((unsigned)rand() % 300)
					      : code + (unsigned)rand() % 64;
		for (int i = 0; i < SIS_REGS; i++)
			registers.value[i] = base + 8 * ((unsigned)rand() % 300);
		registers.value[SIS_REG_PC] = code + (unsigned)rand() % 64;
		registers.value[SIS_REG_SP] = base + 8 * ((unsigned)rand() % 256);
		registers.known = (uint32_t)rand();
		result = sis__unwind_stack(&rules, &registers, (struct sis_stack_memory){
			.top = base + sizeof stack }, rand() % 2, walked, NULL, MOST);
		ck_assert_uint_le(result.frames, MOST);
	}
}
END_TEST

/* The frame that has the address is the last one of the task. */
START_TEST(the_stack_of_a_task_ends_with_who_called_it)
{
	struct sis_registers registers;
	uint64_t whole[MOST], end[MOST];
	struct sis_stack_memory stack = { .top = (uint64_t)(uintptr_t)__libc_stack_end };
	ucontext_t here;
	getcontext(&here);
	sis__registers_of(&here, &registers);
	struct sis_unwound a = sis__unwind_stack(&rules, &registers, stack, true, whole, end, MOST);
	ck_assert_uint_gt(a.frames, 3);
	ck_assert_uint_eq(a.inner, a.frames);
	stack.task = end[1]; /* the first address in the frame of walked[2] */
	struct sis_unwound b = sis__unwind_stack(&rules, &registers, stack, true,
						  walked, end, MOST);
	ck_assert_uint_eq(b.inner, 3);
	ck_assert_uint_eq(b.frames, a.frames);
	stack.inner = true;
	struct sis_unwound c = sis__unwind_stack(&rules, &registers, stack, true,
						  walked, NULL, MOST);
	ck_assert_uint_eq(c.inner, 3);
	ck_assert_uint_eq(c.frames, 3);
	ck_assert(c.complete);
	ck_assert_mem_eq(whole, walked, 3 * sizeof whole[0]);
	stack.task = registers.value[SIS_REG_SP] - 8; /* of another stack */
	struct sis_unwound d = sis__unwind_stack(&rules, &registers, stack, true,
						  walked, NULL, MOST);
	ck_assert_uint_eq(d.inner, a.frames);
}
END_TEST

/* The sanitizer's memcpy takes a stack for variables. */
__attribute__((no_sanitize("address", "thread"))) static void copy_stack(uint64_t *to, uint64_t sp,
									   uint64_t top)
{
	for (; sp < top; sp += 8)
		*to++ = *(const volatile uint64_t *)(uintptr_t)sp;
}

START_TEST(copy)
{
	static uint64_t memory[1 << 16];
	struct sis_registers registers;
	uint64_t first[MOST];
	catch(SIGUSR1);
	recurse(5);
	struct sis_stack_memory stack = { .top = (uint64_t)(uintptr_t)__libc_stack_end };
	ucontext_t here;
	getcontext(&here);
	sis__registers_of(&here, &registers);
	uint64_t sp = registers.value[SIS_REG_SP];
	struct sis_unwound a = sis__unwind_stack(&rules, &registers, stack, true, first, NULL, MOST);
	ck_assert_uint_lt(stack.top - sp, sizeof memory);
	copy_stack(memory, sp, stack.top);
	stack.shift = (uint64_t)(uintptr_t)memory - sp;
	struct sis_unwound b = sis__unwind_stack(&rules, &registers, stack, true,
						  walked, NULL, MOST);
	ck_assert_uint_eq(a.frames, b.frames);
	ck_assert_mem_eq(first, walked, a.frames * sizeof first[0]);
}
END_TEST

#ifdef __x86_64__
/* Generated code without a frame pointer and without unwinding information, as Python's
 * trampolines: sub $8,%rsp; call *%rdi; add $8,%rsp; ret */
START_TEST(generated_code)
{
	static const unsigned char code[] = { 0x48, 0x83, 0xec, 8, 0xff, 0xd7,
					      0x48, 0x83, 0xc4, 8, 0xc3 };
	enum { RETURN = 6 };
	void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(memory, MAP_FAILED);
	memcpy(memory, code, sizeof code);
	catch(SIGUSR1);
	for (int i = 0; i < 2; i++) { /* the second time by what is remembered */
		((void (*)(void (*)(void)))memory)(raise_signal);
		unsigned at = 0;
		while (at < result.frames &&
		       walked[at] != (uint64_t)(uintptr_t)memory + RETURN)
			at++;
		ck_assert_uint_lt(at + 1, result.frames); /* its caller is there */
		ck_assert(result.complete);
		ck_assert(!result.guessed);
	}
	munmap(memory, 4096);
}
END_TEST
#else
START_TEST(generated_code) {}
END_TEST
#endif

UNIT_MAIN("unwind", functions, libc_calls_back, aligned_stack, handler_inside, damaged,
	  the_stack_of_a_task_ends_with_who_called_it, copy, generated_code)
