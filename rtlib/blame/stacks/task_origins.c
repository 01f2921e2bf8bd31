/* SPDX-License-Identifier: BSD-3-Clause */
/* task_origins.c - see task_origins.h. Called by threads that create tasks.
 *
 * The idea: programs create millions of tasks at few places, and walking the stack takes longer
 * than creating a task. So a thread remembers the return addresses of a stack that it has walked,
 * and their places in memory. If all of them are still at their places, the stack is the same.
 *
 * All threads share one table of origins. The thread whose stack is the origin adds it, so no two
 * threads add the same one. Other threads get a pointer to the origin together with the task.
 * LIMIT: if a task is inside DEPTH or more other tasks, each created at another place, its origin
 * is that of the task around it. If there are ORIGINS_MOST origins already, the same holds for
 * tasks that are created at a new place. The blame of such a task may stop there.
 */
#include "blame/stacks/task_origins.h"

#include <string.h>
#include <sys/mman.h>

enum { SLOTS = 1 << 15, ORIGINS_MOST = SLOTS / 2, DEPTH = 8, MADE = 256, ADDRESSES = 40 };

static struct sis_task_origin table[SLOTS];
static uint32_t origins; /* atomic: entries in use */

/* -- origins ----------------------------------------------------------------------------------- */

const struct sis_task_origin *sis__task_origin_known(const struct sis_task_origin *outer,
						     uint64_t hash)
{
	for (const struct sis_task_origin *at = outer; at; at = at->outer)
		if (at->hash == hash)
			return at;
	return outer && outer->depth + 1 >= DEPTH ? outer : NULL;
}

const struct sis_task_origin *sis__task_origin(uint64_t offset, uint64_t hash,
					       const struct sis_task_origin *outer)
{
	for (uint64_t i = offset * SIS_HASH_MULTIPLIER >> 40;; i++) {
		struct sis_task_origin *entry = &table[i % SLOTS];
		uint64_t there = __atomic_load_n(&entry->offset, __ATOMIC_RELAXED);
		if (there == offset)
			return entry;
		if (there)
			continue;
		if (__atomic_load_n(&origins, __ATOMIC_RELAXED) >= ORIGINS_MOST)
			return outer;
		/* Relaxed is enough: other threads get a pointer to the entry only with a task, and
		 * handing over the task orders the other members. */
		if (!__atomic_compare_exchange_n(&entry->offset, &there, offset, false,
						 __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			continue;
		__atomic_add_fetch(&origins, 1, __ATOMIC_RELAXED);
		entry->hash = hash;
		entry->outer = outer;
		entry->depth = outer ? outer->depth + 1 : 0;
		return entry;
	}
}

void sis__task_origins_new_process(void)
{
	if (origins)
		memset(table, 0, sizeof table);
	origins = 0;
}

/* -- what a thread remembers ------------------------------------------------------------------- */

struct sis_made {
	struct sis_creation creation;
	const struct sis_task_origin *origin; /* NULL: this entry is free */
	uint64_t addresses;
	struct { const uint64_t *at; uint64_t value; } address[ADDRESSES]; /* return addresses */
};

static size_t number_of(const struct sis_creation *creation)
{
	uint64_t key = (uintptr_t)creation->from ^ (uintptr_t)creation->frame * SIS_HASH_SECOND ^
		       (uintptr_t)creation->outer ^ creation->team;
	return key * SIS_HASH_MULTIPLIER >> 32 & (MADE - 1);
}

/* Sanitizers would report these reads, because the stack is the memory of other functions. */
__attribute__((no_sanitize("address", "thread")))
static bool is_same(const struct sis_made *entry)
{
	for (uint64_t i = 0; i < entry->addresses; i++)
		if (*(const volatile uint64_t *)entry->address[i].at != entry->address[i].value)
			return false;
	return true;
}

const struct sis_task_origin *sis__made_find(const struct sis_made *made,
					     const struct sis_creation *creation)
{
	const struct sis_made *entry = made ? &made[number_of(creation)] : NULL;
	bool is_known = entry && entry->origin && entry->creation.from == creation->from &&
			entry->creation.frame == creation->frame &&
			entry->creation.outer == creation->outer &&
			entry->creation.team == creation->team && is_same(entry);
	return is_known ? entry->origin : NULL;
}

struct sis_made *sis__made_at(struct sis_made **made, const struct sis_creation *creation)
{
	if (!*made) {
		void *memory = mmap(NULL, MADE * sizeof **made, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (memory == MAP_FAILED)
			return NULL;
		*made = memory;
	}
	return &(*made)[number_of(creation)];
}

bool sis__made_note(struct sis_made *entry, const struct sis_creation *creation,
		    const uint64_t *pc, const uint64_t *end, unsigned frames)
{
	entry->origin = NULL;
	entry->addresses = 0;
	for (unsigned i = 0; i + 1 < frames && end[i]; i++) {
		const uint64_t *at = (const uint64_t *)(uintptr_t)(end[i] - sizeof *at);
		if ((uintptr_t)at < (uintptr_t)creation->frame)
			continue; /* a frame inside of the creation */
		if (entry->addresses == ADDRESSES)
			return false;
		entry->address[entry->addresses].at = at;
		entry->address[entry->addresses++].value = pc[i + 1];
	}
	return entry->addresses > 0;
}

void sis__made_set(struct sis_made *entry, const struct sis_creation *creation,
		   const struct sis_task_origin *origin)
{
	entry->creation = *creation;
	entry->origin = origin;
}

void sis__made_free(struct sis_made *made)
{
	if (made)
		munmap(made, MADE * sizeof *made);
}
