/* SPDX-License-Identifier: BSD-3-Clause */
/* allocations.c - records allocations from malloc to free. Called by threads of the program, from
 * the wrappers that sisc links into programs (apart/modules/memory_wrappers.c).
 *
 *      after malloc        the thread's stack is unwound into the thread's own table, without a
 *                          lock. Under the lock, blocks with this address end, since a library
 *                          must have freed them; the sum of the stack grows; the block is added
 *                          to the index
 *      before free         the block is taken out of the index, and its sum shrinks. This is done
 *                          before free, because after free another thread may get the address
 *      around realloc      the block is taken out before and put back afterwards. If the block has
 *                          moved, it counts as a free and an allocation
 *
 * The lock is held for a microsecond. The handler of the samples' signal does not take it.
 * LIMIT: libraries call no wrapper. Memory that a library allocates is not recorded. Memory that a
 * library frees is recorded as alive until its address is allocated again.
 * LIMIT: if a hole is made in a mapping, the mapping counts as freed when the part before the hole
 * is freed.
 */
#include "base/config.h"
#include "base/lock.h"
#include "base/seqlock.h"
#include "base/state.h"
#include "blame/memory/sums.h"
#include "sis/memory_calls.h"
#include "blame/stacks/allocations.h"
#include "blame/stacks/sampled_thread.h"
#include "blame/stacks/stacks_file.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CHUNK = 8000 };

SIS_EXPORT size_t sis_memory_least = SIZE_MAX;

static struct sis_lock lock;
static bool wrapped, open;  /* `wrapped`: the program has wrappers; `open`: the file exists */
static bool running;        /* wrapped and open, and the process does not end yet */
static struct sis_chunk *chunk;
/* depth: number of wrapped functions that this thread is in (one may call another).
 * asked: this thread has asked to be sampled. */
static __thread unsigned depth __attribute__((tls_model("initial-exec")));
static __thread bool asked __attribute__((tls_model("initial-exec")));

/* -- the sums ---------------------------------------------------------------------------------- */

static struct sis_memory *sum_at(uint32_t offset)
{
	return (struct sis_memory *)((char *)sis__stacks_header() + offset);
}

static struct sis_memory *sum_of(uint64_t stack, uint32_t kind)
{
	struct sis_memory *sum = sis__sums_find(stack, kind);
	if (sum)
		return sum;
	sum = sis__stacks_place(&chunk, SIS_CHUNK_MEMORY, sizeof *sum, CHUNK);
	if (!sum || !sis__sums_add(sum, stack, kind))
		return NULL;
	chunk->used += sizeof *sum;
	return sum;
}

static void end_block(const struct sis_block *block)
{
	sis__sum_end(sum_at(block->of), block, sis__ticks());
}

/* Ends the blocks in this range, because their addresses were allocated again, or are unmapped. */
static void end_heap(uint64_t begin, uint64_t end)
{
	struct sis_block block;
	while (sis__blocks_take_in(SIS_MEMORY_HEAP, begin, end, &block))
		end_block(&block);
}

static void end_mappings(uint64_t begin, uint64_t end)
{
	struct sis_block block;
	while (sis__blocks_cut(SIS_MEMORY_MAPPING, begin, end, &block))
		end_block(&block);
}

/* Ends the blocks that the new block overlaps. A mapping around a new block of malloc stays: the
 * program's own malloc takes its memory from this mapping. */
static void end_overlapped(const struct sis_block *block)
{
	end_heap(block->begin, block->end);
	if (block->kind == SIS_MEMORY_MAPPING || !sis__blocks_has_around(block))
		end_mappings(block->begin, block->end);
}

/* -- changes ----------------------------------------------------------------------------------- */

static void end_change(void)
{
	sis__unlock(&lock);
	sis__unguard();
}

/* Returns false if nothing is recorded. In a static program the runtime's own calls of mmap go
 * through the wrappers, too. They are not recorded, because sis__local.inside is set during these
 * calls. */
static bool begin_change(void)
{
	if (sis__local.inside || !sis__in_this_process())
		return false;
	sis__guard();
	if (!sis__lock(&lock)) {
		sis__unguard();
		return false;
	}
	if (running)
		return true;
	end_change();
	return false;
}

/* The stack of the calling thread, which may not be sampled yet. */
static uint64_t stack_here(const void *from)
{
	if (!sis__sampled_is_self() && !asked && sis__local.exits == 0) {
		asked = true;
		sis__sampled_add((uint32_t)syscall(SYS_gettid), true);
	}
	const struct sis_stack *stack = sis__sampled_here(SIS_STACK_ALLOCATION, from);
	if (!stack) { /* the thread has filled its room, and the sampler has not made more yet */
		sis__sampled_grow_self();
		stack = sis__sampled_here(SIS_STACK_ALLOCATION, from);
	}
	return sis__stacks_offset(stack);
}

static void record(struct sis_block *block, const void *from)
{
	if (sis__local.inside || depth || SIS_GET(sis_memory_least) == SIZE_MAX)
		return;
	sis__guard();
	uint64_t stack = stack_here(from);
	sis__unguard();
	if (!begin_change())
		return;
	struct sis_memory *sum = sum_of(stack, block->kind);
	end_overlapped(block);
	block->ticks = sis__ticks();
	block->of = (uint32_t)sis__stacks_offset(sum);
	if (sum && sis__blocks_add(block))
		sis__sum_begin(sum, block->end - block->begin, block->ticks);
	else
		sis__stacks_header()->memory_lost++;
	end_change();
}

static struct sis_block block_at(const void *at, size_t bytes, uint16_t kind)
{
	uint64_t begin = (uint64_t)(uintptr_t)at;
	return (struct sis_block){ .begin = begin, .end = begin + bytes, .kind = kind };
}

static size_t in_pages(size_t bytes)
{
	return (bytes + SIS_PAGE - 1) & ~(size_t)(SIS_PAGE - 1);
}

/* -- what wrappers call ------------------------------------------------------------------------ */

SIS_EXPORT void sis_memory_enter(void) { depth++; }
SIS_EXPORT void sis_memory_leave(void) { depth--; }

SIS_EXPORT void sis_memory_new(void *at, size_t bytes, const void *from)
{
	int saved = errno;
	struct sis_block block = block_at(at, bytes, SIS_MEMORY_HEAP);
	record(&block, from);
	errno = saved;
}

/* A mapping at an address that the program chooses replaces older mappings there. So even a mapping
 * that is too small to be recorded ends blocks. */
SIS_EXPORT void sis_memory_mapped(void *at, size_t bytes, const void *from)
{
	int saved = errno;
	struct sis_block block = block_at(at, in_pages(bytes), SIS_MEMORY_MAPPING);
	if (bytes >= SIS_GET(sis_memory_least)) {
		record(&block, from);
	} else if (begin_change()) {
		end_overlapped(&block);
		end_change();
	}
	errno = saved;
}

SIS_EXPORT void sis_memory_free(void *at)
{
	struct sis_block block;
	uint64_t address = (uint64_t)(uintptr_t)at;
	if (SIS_LIKELY(!sis__blocks_may_begin(address)))
		return;
	int saved = errno;
	if (begin_change()) {
		if (sis__blocks_take(SIS_MEMORY_HEAP, address, &block))
			end_block(&block);
		end_change();
	}
	errno = saved;
}

/* If the kernel will refuse the call, nothing is changed. */
SIS_EXPORT void sis_memory_unmap(void *at, size_t bytes)
{
	int saved = errno;
	uint64_t begin = (uint64_t)(uintptr_t)at, end = begin + in_pages(bytes);
	if (begin % SIS_PAGE == 0 && end > begin && begin_change()) {
		end_heap(begin, end);
		end_mappings(begin, end);
		end_change();
	}
	errno = saved;
}

/* -- memory that moves ------------------------------------------------------------------------- */

static void keep(const struct sis_block *block, struct sis_memory_taken *taken)
{
	*taken = (struct sis_memory_taken){ .begin = block->begin, .end = block->end,
					    .ticks = block->ticks, .of = block->of,
					    .kind = block->kind, .is_part = block->is_part };
}

SIS_EXPORT void sis_memory_take(void *at, struct sis_memory_taken *taken)
{
	struct sis_block block;
	uint64_t address = (uint64_t)(uintptr_t)at;
	*taken = (struct sis_memory_taken){ .begin = address, .end = address };
	if (!sis__blocks_may_begin(address))
		return;
	int saved = errno;
	if (begin_change()) {
		if (sis__blocks_take(SIS_MEMORY_HEAP, address, &block))
			keep(&block, taken);
		end_change();
	}
	errno = saved;
}

SIS_EXPORT void sis_memory_take_mapped(void *at, size_t bytes, struct sis_memory_taken *taken)
{
	struct sis_block block;
	int saved = errno;
	uint64_t begin = (uint64_t)(uintptr_t)at, end = begin + in_pages(bytes);
	*taken = (struct sis_memory_taken){ .begin = begin, .end = begin };
	if (begin % SIS_PAGE == 0 && end > begin && begin_change()) {
		if (sis__blocks_cut(SIS_MEMORY_MAPPING, begin, end, &block))
			keep(&block, taken);
		end_change();
	}
	errno = saved;
}

/* Puts memory that was removed from the index back into the index, or counts it as freed. */
static void settle(const struct sis_memory_taken *taken, bool stays, uint64_t bytes)
{
	struct sis_block block = { .begin = taken->begin, .end = taken->end,
				   .ticks = taken->ticks, .of = taken->of, .kind = taken->kind,
				   .is_part = taken->is_part };
	uint64_t before = taken->end - taken->begin;
	if (!begin_change())
		return;
	if (stays) {
		block.end = taken->begin + bytes;
		end_overlapped(&block);
	}
	if (!stays) {
		end_block(&block);
	} else if (!sis__blocks_add(&block)) {
		block.end = taken->end;
		end_block(&block);
		sis__stacks_header()->memory_lost++;
	} else if (bytes != before) {
		sis__sum_resize(sum_at(block.of), before, bytes);
	}
	end_change();
}

static void put(const struct sis_memory_taken *taken, struct sis_block *block, const void *from)
{
	bool was_known = taken->end > taken->begin, stays = block->begin == taken->begin;
	uint64_t bytes = block->end - block->begin;
	if (was_known)
		settle(taken, stays, bytes);
	if (block->begin && bytes >= SIS_GET(sis_memory_least) && !(was_known && stays))
		record(block, from);
}

SIS_EXPORT void sis_memory_put(const struct sis_memory_taken *taken, void *to, size_t bytes,
			       const void *from)
{
	int saved = errno;
	struct sis_block block = block_at(to, bytes, SIS_MEMORY_HEAP);
	put(taken, &block, from);
	errno = saved;
}

SIS_EXPORT void sis_memory_put_mapped(const struct sis_memory_taken *taken, void *to, size_t bytes,
				      const void *from)
{
	int saved = errno;
	struct sis_block block = block_at(to, in_pages(bytes), SIS_MEMORY_MAPPING);
	put(taken, &block, from);
	errno = saved;
}

/* -- the process ------------------------------------------------------------------------------- */

static void begin_if_all_is_there(void)
{
	uint64_t least = sis__config.blame.least_bytes;
	if (!wrapped || !open || running)
		return;
	running = true;
	sis__stacks_header()->least_bytes = least ? least : 1;
	SIS_SET(sis_memory_least, (size_t)sis__stacks_header()->least_bytes);
}

SIS_EXPORT void sis_memory_wrapped(void)
{
	int saved = errno;
	if (sis__lock(&lock)) {
		wrapped = true;
		begin_if_all_is_there();
		sis__unlock(&lock);
	}
	errno = saved;
}

void sis__allocations_begin(void)
{
	if (!sis__lock(&lock))
		return;
	open = true;
	begin_if_all_is_there();
	sis__unlock(&lock);
}

void sis__allocations_end(void)
{
	SIS_SET(sis_memory_least, SIZE_MAX);
	bool locked = sis__lock(&lock);
	open = running = false;
	if (locked)
		sis__unlock(&lock);
}

void sis__allocations_new_process(void)
{
	SIS_SET(sis_memory_least, SIZE_MAX);
	open = running = asked = false;
	chunk = NULL;
	sis__blocks_clear();
	sis__sums_clear();
}
