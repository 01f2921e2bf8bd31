/* SPDX-License-Identifier: BSD-3-Clause */
/* writer.c - see writer.h. A writer, and the memory that the writer will need, is made by a thread
 * at its begin, or by the sampler. Only one thread uses a writer, sometimes in a signal handler.
 */
#include "base/runtime.h"
#include "base/seqlock.h"
#include "blame/stacks/stacks_file.h"
#include "blame/stacks/writer.h"

#include <sys/mman.h>

enum { FIRST_CHUNK = 60 << 10, NEXT_CHUNK = 252 << 10, FIRST_ACCESSES = 12 << 10,
       NEXT_ACCESSES = 124 << 10, SAMPLED_CHUNK = 4000, FIRST_MOMENTS = 4000,
       NEXT_MOMENTS = 60 << 10,
       PAUSES_PER_SECOND = 50 /* samples farther apart have moments of their own */ };
#define MOMENTS_UP_TO (256ull << 20) /* a larger file has room for stacks only */

static struct sis_chunk *pubs;

static uint64_t bytes_of(bool has_accesses)
{
	return sizeof(struct sis_writer) + SIS_STACK_SLOTS * sizeof(struct sis_stack *) +
	       (has_accesses ? SIS_ACCESS_SLOTS * sizeof(struct sis_access *) : 0);
}

/* The first chunk is small, since most threads do not fill more. */
static void grow(struct sis_filling *filling, uint32_t kind, uint64_t first, uint64_t next)
{
	bool is_first = !__atomic_load_n(&filling->chunk, __ATOMIC_RELAXED);
	sis__filling_give(filling, sis__stacks_chunk(kind, is_first ? first : next));
}

void sis__writer_grow(struct sis_writer *writer)
{
	struct sis_access_table *accesses = &writer->accesses;
	if (sis__stacks_want_chunk(&writer->table))
		grow(&writer->table.filling, SIS_CHUNK_STACKS, FIRST_CHUNK, NEXT_CHUNK);
	if (accesses->slot && SIS_GET(accesses->records) < SIS_ACCESSES_MOST &&
	    sis__filling_wants(&accesses->filling))
		grow(&accesses->filling, SIS_CHUNK_ACCESSES, FIRST_ACCESSES, NEXT_ACCESSES);
	const struct sis_stacks_header *header = sis__stacks_header();
	if (sis__filling_wants(&writer->moments) && header && header->size < MOMENTS_UP_TO)
		grow(&writer->moments, SIS_CHUNK_MOMENTS, FIRST_MOMENTS, NEXT_MOMENTS);
}

struct sis_writer *sis__writer_new(uint32_t tid, bool has_accesses)
{
	struct sis_sampled *pub = sis__stacks_place(&pubs, SIS_CHUNK_SAMPLED, sizeof *pub,
						    SAMPLED_CHUNK);
	if (!pub)
		return NULL;
	struct sis_writer *writer = mmap(NULL, bytes_of(has_accesses), PROT_READ | PROT_WRITE,
					 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (writer == MAP_FAILED)
		return NULL;
	writer->table.slot = (struct sis_stack **)(writer + 1);
	if (has_accesses)
		writer->accesses.slot =
			(struct sis_access **)(writer->table.slot + SIS_STACK_SLOTS);
	writer->pub = pub;
	pub->tid = tid;
	pub->from = sis__ticks();
	pubs->used += sizeof *pub;
	sis__writer_grow(writer);
	return writer;
}

void sis__writer_free(struct sis_writer *writer)
{
	sis__made_free(writer->made);
	munmap(writer, bytes_of(writer->accesses.slot != NULL));
}

void sis__stack_key_set(struct sis_stack_key *key, struct sis_unwound unwound)
{
	key->head.frames = (uint16_t)unwound.inner;
	key->head.size = (uint32_t)(sizeof key->head + unwound.inner * sizeof key->pc[0]);
	key->head.flags |= (uint8_t)((unwound.complete ? 0 : SIS_STACK_TRUNCATED) |
				     (unwound.guessed ? SIS_STACK_GUESSED : 0));
}

struct sis_stack *sis__writer_add(struct sis_writer *writer, uint64_t count, uint64_t weight)
{
	struct sis_stack *stack = sis__stack_add(&writer->table, &writer->key.head, count, weight);
	if (!stack) {
		writer->pub->lost += count;
		return NULL;
	}
	writer->pub->samples += count;
	writer->pub->weight += weight;
	if (writer->key.head.frames <= 1)
		writer->pub->unknown += count;
	writer->last = sis__writer_moment(writer, writer->last, stack, count);
	return stack;
}

struct sis_moments *sis__writer_moment(struct sis_writer *writer, struct sis_moments *before,
				       const struct sis_stack *stack, uint64_t count)
{
	uint64_t now = sis__ticks(), offset = sis__stacks_offset(stack);
	uint64_t pause = sis__stacks_header()->ticks_per_second / PAUSES_PER_SECOND;
	if (before && before->stack == offset && now - before->last < pause) {
		before->last = now;
		before->count += (uint32_t)count;
		return before;
	}
	struct sis_moments *moments = sis__filling_room(&writer->moments, sizeof *moments);
	if (!moments)
		return NULL;
	*moments = (struct sis_moments){ .first = now, .last = now, .stack = (uint32_t)offset,
					 .count = (uint32_t)count };
	sis__filling_done(&writer->moments, sizeof *moments);
	return moments;
}

void sis__writer_add_access(struct sis_writer *writer, struct sis_access *access, uint64_t count,
			    uint64_t weight)
{
	if (!writer->accesses.slot)
		return;
	access->node = writer->key.head.node;
	access->slot = writer->key.head.slot;
	sis__access_add(&writer->accesses, access, count, weight);
}

void sis__writers_new_process(void)
{
	pubs = NULL;
}
