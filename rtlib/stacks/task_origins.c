/* SPDX-License-Identifier: BSD-3-Clause */
/* task_origins.c - see task_origins.h. The threads that create tasks.
 *
 * Its idea: programs create millions of tasks at few places. Walking the stack takes longer than
 * creating the task. So a thread remembers the return addresses of a stack that it has walked, and
 * their places in the stack. If these places still have the same return addresses, the stack is the
 * same.
 *
 * All threads share one table of origins. The thread that has an origin's stack adds the origin, so
 * no two threads add the same one. Other threads get a pointer to the origin with the task.
 * LIMIT: if a task is inside DEPTH or more other tasks, each created elsewhere, its origin is that
 * of the task around it. The same holds for new origins after ORIGINS_MOST of them. The blame of
 * such a task may stop there.
 */
#include "stacks/task_origins.h"

#include <string.h>
#include <sys/mman.h>

enum { SLOTS = 1 << 15, ORIGINS_MOST = SLOTS / 2, DEPTH = 8, PLACES = 256, ADDRESSES = 40 };

static struct sis_task_origin table[SLOTS];
static uint32_t origins; /* atomic: places in use */

/* -- origins ----------------------------------------------------------------------------------- */

const struct sis_task_origin *sis__task_origin_known(const struct sis_task_origin *outer,
						     uint64_t hash)
{
	for (const struct sis_task_origin *at = outer; at; at = at->outer)
		if (at->hash == hash)
			return at;
	return outer && outer->depth + 1 >= DEPTH ? outer : NULL;
}

/* Takes a free place. Relaxed: other threads get a pointer to the place only with a task, and the
 * hand-over of the task orders the rest. */
static bool take(struct sis_task_origin *place, uint64_t offset)
{
	uint64_t none = 0;
	return __atomic_compare_exchange_n(&place->offset, &none, offset, false, __ATOMIC_RELAXED,
					   __ATOMIC_RELAXED);
}

const struct sis_task_origin *sis__task_origin(uint64_t offset, uint64_t hash,
					       const struct sis_task_origin *outer)
{
	for (uint64_t i = offset * SIS_HASH_MULTIPLIER >> 40;; i++) {
		struct sis_task_origin *place = &table[i % SLOTS];
		uint64_t there = __atomic_load_n(&place->offset, __ATOMIC_RELAXED);
		if (there == offset)
			return place;
		if (there)
			continue;
		if (__atomic_load_n(&origins, __ATOMIC_RELAXED) >= ORIGINS_MOST)
			return outer;
		if (!take(place, offset))
			continue;
		__atomic_add_fetch(&origins, 1, __ATOMIC_RELAXED);
		place->hash = hash;
		place->outer = outer;
		place->depth = outer ? outer->depth + 1 : 0;
		return place;
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
	const struct sis_task_origin *origin; /* NULL: this place is free */
	uint64_t addresses;
	struct { const uint64_t *place; uint64_t value; } address[ADDRESSES]; /* return addresses */
};

static size_t number_of(const struct sis_creation *creation)
{
	uint64_t key = (uintptr_t)creation->from ^ (uintptr_t)creation->frame * SIS_HASH_SECOND ^
		       (uintptr_t)creation->outer ^ creation->team;
	return key * SIS_HASH_MULTIPLIER >> 32 & (PLACES - 1);
}

/* The stack is other functions' memory. */
__attribute__((no_sanitize("address", "thread")))
static bool is_same(const struct sis_made *place)
{
	for (uint64_t i = 0; i < place->addresses; i++)
		if (*(const volatile uint64_t *)place->address[i].place != place->address[i].value)
			return false;
	return true;
}

const struct sis_task_origin *sis__made_find(const struct sis_made *made,
					     const struct sis_creation *creation)
{
	const struct sis_made *place = made ? &made[number_of(creation)] : NULL;
	bool is_known = place && place->origin && place->creation.from == creation->from &&
			place->creation.frame == creation->frame &&
			place->creation.outer == creation->outer &&
			place->creation.team == creation->team && is_same(place);
	return is_known ? place->origin : NULL;
}

struct sis_made *sis__made_at(struct sis_made **made, const struct sis_creation *creation)
{
	if (!*made) {
		void *memory = mmap(NULL, PLACES * sizeof **made, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (memory == MAP_FAILED)
			return NULL;
		*made = memory;
	}
	return &(*made)[number_of(creation)];
}

bool sis__made_note(struct sis_made *place, const struct sis_creation *creation,
		    const uint64_t *pc, const uint64_t *end, unsigned frames)
{
	place->origin = NULL;
	place->addresses = 0;
	for (unsigned i = 0; i + 1 < frames && end[i]; i++) {
		const uint64_t *at = (const uint64_t *)(uintptr_t)(end[i] - sizeof *at);
		if ((uintptr_t)at < (uintptr_t)creation->frame)
			continue; /* of a call inside */
		if (place->addresses == ADDRESSES)
			return false;
		place->address[place->addresses].place = at;
		place->address[place->addresses++].value = pc[i + 1];
	}
	return place->addresses > 0;
}

void sis__made_set(struct sis_made *place, const struct sis_creation *creation,
		   const struct sis_task_origin *origin)
{
	place->creation = *creation;
	place->origin = origin;
}

void sis__made_free(struct sis_made *made)
{
	if (made)
		munmap(made, PLACES * sizeof *made);
}
