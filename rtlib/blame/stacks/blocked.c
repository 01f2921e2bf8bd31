/* SPDX-License-Identifier: BSD-3-Clause */
/* blocked.c - samples of threads that used no CPU time since the sampler's last look. Called by the
 * sampler.
 *
 * Such a thread is not interrupted. The kernel gives the stack pointer and the PC with which the
 * thread entered its system call (/proc/self/task/TID/syscall). From there the stack is unwound.
 * This is done in a copy, because the thread may go on and even end meanwhile. If the kernel gives
 * the same values afterwards, the stack is certain. As long as the thread uses no CPU time, its
 * stack is taken from the look before.
 *
 * The kernel does not give the other registers. Frames that are found by the stack pointer alone
 * are certain: most frames of libc, and the frame of the program's innermost function. If this
 * function uses a frame pointer that no frame inside of it has saved, its caller is searched in the
 * stack (unwind.c), and the stack is marked (SIS_STACK_GUESSED).
 *
 * If there is no source of signals, samples of threads that run are taken here, too. Such samples
 * have a node and no stack.
 */
#include "base/blocked_call.h"
#include "base/slot_table.h"
#include "base/ticks.h"
#include "blame/stacks/blocked.h"
#include "blame/stacks/call_frames.h"
#include "blame/stacks/writer.h"
#include "blame/stacks/stacks_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { LINE = 256, COPY = 32 << 10 };

static struct sis_writer *writer;
static uint64_t period;
static bool looks;
/* For each slot: the time for which no sample was taken yet; the stack of the present wait, and the
 * moments of its samples. */
static struct {
	uint64_t running_ns, blocked_ns;
	struct sis_stack *stack;
	struct sis_moments *moments;
} rest[SIS_SLOTS];
static _Alignas(16) char copy[COPY];
static uint8_t room[SIS_CALL_FRAME_ROOM]; /* for tables of a library that may be unloaded */

/* -- where it waits ---------------------------------------------------------------------------- */

/* Reads the last two numbers of the line. */
static bool parse_call(const char *line, uint64_t *sp, uint64_t *pc)
{
	const char *last = strrchr(line, ' ');
	if (!last || last == line)
		return false;
	const char *before = last - 1;
	while (before > line && *before != ' ')
		before--;
	*sp = strtoull(before, NULL, 16);
	*pc = strtoull(last, NULL, 16);
	return *sp && *pc;
}

static void fill_head(const struct sis_sample *sample, enum sis_stack_kind kind)
{
	writer->key.head = (struct sis_stack){
		.size = sizeof writer->key.head,
		.kind = (uint8_t)kind,
		.slot = sample->thread->pub.slot,
		.node = (uint64_t)(uintptr_t)sample->node,
		.origin = sis__stacks_origin_of(sample->thread),
	};
}

/* Completes the key by the stack of the thread's wait, if the stack can be found. Returns false if
 * the thread runs, or has gone on meanwhile. */
static bool find_wait(const struct sis_sample *sample)
{
	char line[LINE], again[LINE];
	uint64_t sp, pc;
	uint32_t tid = sample->thread->pub.tid;
	if (!sis__blocked_call(tid, line, sizeof line))
		return line[0] == '\0'; /* the kernel gives nothing, but the node is known */
	if (!parse_call(line, &sp, &pc))
		return true;
	struct iovec to = { copy, sizeof copy }, from = { (void *)(uintptr_t)sp, sizeof copy };
	ssize_t bytes = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
	struct sis_registers registers = { .known = 1u << SIS_REG_SP | 1u << SIS_REG_PC };
	registers.value[SIS_REG_SP] = sp;
	registers.value[SIS_REG_PC] = pc;
	struct sis_stack_memory stack = {
		.top = sp + (bytes < 0 ? 0 : (uint64_t)bytes),
		.shift = (uint64_t)(uintptr_t)copy - sp,
		.task = sis__stacks_task_end(sample->thread),
		.inner = true,
		.room = room,
	};
	sis__stack_key_set(&writer->key, sis__unwind_stack(&writer->rules, &registers, stack, false,
							   writer->key.pc, NULL, SIS_STACK_FRAMES));
	return sis__blocked_call(tid, again, sizeof again) && strcmp(line, again) == 0;
}

/* -- a look ------------------------------------------------------------------------------------ */

/* Subtracts all whole periods from the time, and returns their number. */
static uint64_t take_samples(uint64_t *ns)
{
	uint64_t count = *ns / period;
	*ns -= count * period;
	return count;
}

static void add_blocked(const struct sis_sample *sample, bool goes_on)
{
	struct sis_stack **stack = &rest[sample->thread->pub.slot].stack;
	if (!goes_on || !*stack || (*stack)->node != (uint64_t)(uintptr_t)sample->node) {
		fill_head(sample, SIS_STACK_BLOCKED);
		*stack = NULL;
		if (!find_wait(sample)) {
			rest[sample->thread->pub.slot].blocked_ns = 0;
			return;
		}
	}
	uint64_t count = take_samples(&rest[sample->thread->pub.slot].blocked_ns);
	if (count == 0)
		return;
	if (!*stack) {
		*stack = sis__writer_add(writer, count, count * period);
		rest[sample->thread->pub.slot].moments = writer->last;
		return;
	}
	(*stack)->count += count;
	(*stack)->weight += count * period;
	writer->pub->samples += count;
	writer->pub->weight += count * period;
	rest[sample->thread->pub.slot].moments = sis__writer_moment(
		writer, rest[sample->thread->pub.slot].moments, *stack, count);
}

void sis__blocked_sample(const struct sis_sample *sample)
{
	uint32_t slot = sample->thread->pub.slot;
	if (slot >= SIS_SLOTS || !writer)
		return;
	if (sample->since == 0) {
		rest[slot].stack = NULL;
		return;
	}
	uint64_t ns = sis__ticks_to_ns(sample->since);
	if (sample->cpu_ns < ns / 2) {
		rest[slot].blocked_ns += ns - sample->cpu_ns;
		add_blocked(sample, sample->cpu_ns == 0);
		return;
	}
	rest[slot].stack = NULL;
	rest[slot].running_ns += looks ? sample->cpu_ns : 0;
	uint64_t count = take_samples(&rest[slot].running_ns);
	if (!count)
		return;
	fill_head(sample, SIS_STACK_RUNNING);
	sis__writer_add(writer, count, count * period);
}

bool sis__blocked_begin(uint64_t period_ns, bool look)
{
	period = period_ns;
	looks = look;
	writer = sis__writer_new(0, false);
	return writer != NULL;
}

void sis__blocked_grow(void)
{
	if (writer)
		sis__writer_grow(writer);
}

void sis__blocked_new_process(void)
{
	writer = NULL;
	memset(rest, 0, sizeof rest);
}
