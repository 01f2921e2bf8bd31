/* SPDX-License-Identifier: BSD-3-Clause */
/* callers.c - finds the place that called a wrapper, and the region of the call. Called by any
 * thread, in a wrapper.
 *
 * Between the program and sis__caller_find are frames of this runtime, and often some of the
 * runtime of OpenMP or of MPI's interface for Fortran:
 *
 *      main            0x5555000012a7   a.c:12         the place
 *      mpi_recv_       0x7ffff7f01a2c   libmpifort     goes on outwards: the frame has 72 bytes
 *      on_MPI_Recv     0x7ffff7e00310   libsis-mpich   goes on outwards: the frame has 104 bytes
 *      sis__caller_find
 *
 * What is to do at a return address is always the same. So it is found once, by the unwinding
 * tables, and stays in a table, which is read without a lock.
 * LIMIT: on processors without unwinding tables here (call_frames.h), no place is known.
 * LIMIT: if a library is closed and another one takes its addresses, their calls share regions. */
#include "base/lock.h"
#include "base/runtime_libraries.h"
#include "base/state.h"
#include "blame/stacks/call_frames.h"
#include "blame/stacks/callers.h"
#include "blame/stacks/samples.h"
#include "measure/core/region_registry.h"

#include <errno.h>

enum { CALLERS = 4096, MOST = CALLERS * 3 / 4, FRAMES = 64 };
#define MOST_FRAME (1u << 20)

/* A return address. region: of calls of `id` that return there; 0: the frame belongs to a runtime,
 * and its caller is looked at. Then its end is the stack pointer (or, with by_fp, the frame
 * pointer) + end. fp: where the caller's frame pointer is, from the end on; 0: it is unchanged. */
struct caller { uint64_t pc; uint32_t id, region; int32_t end, fp; bool by_fp; };
struct frame { uint64_t pc, sp, fp; };

bool sis__callers_are_known;

static struct caller callers[CALLERS]; /* open addressing; pc is stored last; 0: free */
static struct sis_lock lock;           /* held while an element is added */
static uint32_t caller_count;

void sis__callers_begin(void)
{
	sis__callers_are_known = sis__measures_all && sis__stacks_running();
}

/* The element of a return address, or the free one where it would be. */
static struct caller *place_of(uint32_t id, uint64_t pc)
{
	for (uint64_t i = pc * SIS_HASH_MULTIPLIER >> 40;; i++) {
		struct caller *at = &callers[i % CALLERS];
		uint64_t there = __atomic_load_n(&at->pc, __ATOMIC_ACQUIRE); /* pairs with add */
		if (!there || (there == pc && (at->id == id || !at->region)))
			return at;
	}
}

/* Fills `end`, `fp` and `by_fp`. Returns false if the unwinding table does not say where the frame
 * ends. */
static bool find_end(struct caller *caller)
{
	struct sis_call_frame frame;
	const void *table = sis__call_frames_of(caller->pc - 1);
	if (!table || !sis__call_frame(table, caller->pc - 1, NULL, &frame) || frame.expression ||
	    frame.rule[SIS_REG_PC].kind != SIS_RULE_AT || frame.rule[SIS_REG_PC].offset != -8)
		return false;
	caller->by_fp = frame.cfa_register == SIS_REG_FP;
	caller->end = frame.cfa_offset;
	if (frame.rule[SIS_REG_FP].kind == SIS_RULE_AT)
		caller->fp = frame.rule[SIS_REG_FP].offset;
	else if (frame.rule[SIS_REG_FP].kind != SIS_RULE_SAME)
		return false;
	return caller->by_fp || frame.cfa_register == SIS_REG_SP;
}

/* Returns NULL if there is no room. */
static const struct caller *add(uint32_t id, uint64_t pc, const void *body)
{
	struct caller *at = NULL;
	if (!sis__lock(&lock))
		return NULL;
	if (caller_count < MOST) {
		at = place_of(id, pc);
		if (!at->pc) {
			struct caller new = { .pc = pc, .id = id, .region = id };
			enum sis_library kind = sis__library_of((const void *)(uintptr_t)pc);
			if (kind == SIS_LIBRARY_OTHER)
				new.region = sis__region_of_call(id, pc, body);
			else if (kind == SIS_LIBRARY_RUNTIME && find_end(&new))
				new.region = 0;
			caller_count++;
			new.pc = 0;
			*at = new;
			__atomic_store_n(&at->pc, pc, __ATOMIC_RELEASE);
		}
	}
	sis__unlock(&lock);
	return at;
}

/* Goes to the frame outside of this one. Returns false if that is not above it in the stack. */
static bool leave(struct frame *frame, const struct caller *by)
{
	uint64_t end = (by->by_fp ? frame->fp : frame->sp) + (uint64_t)(int64_t)by->end;
	if (end <= frame->sp || end - frame->sp > MOST_FRAME)
		return false;
	if (by->fp)
		frame->fp = *(const uint64_t *)(uintptr_t)(end + (uint64_t)(int64_t)by->fp);
	frame->sp = end;
	frame->pc = ((const uint64_t *)(uintptr_t)end)[-1];
	return true;
}

__attribute__((noinline)) uint32_t sis__caller_find(uint32_t id, const void *body)
{
	const uint64_t *here = __builtin_frame_address(0);
	struct frame frame = { .pc = here[1], .sp = (uintptr_t)(here + 2), .fp = here[0] };
	if (id >= SIS_FIRST_UNIT_ID)
		return id;
	for (unsigned i = 0; i < FRAMES; i++) {
		const struct caller *caller = place_of(id, frame.pc);
		if (SIS_UNLIKELY(!caller->pc)) {
			int saved = errno;
			caller = add(id, frame.pc, body);
			errno = saved;
		}
		if (!caller)
			return id;
		if (caller->region)
			return caller->region;
		if (!leave(&frame, caller))
			return id;
	}
	return id;
}
