/* SPDX-License-Identifier: BSD-3-Clause */
/* filling.c - see filling.h. What is appended is complete before `used` of its chunk covers it. So
 * a process may be killed anywhere.
 */
#include "stacks/filling.h"

static uint64_t room_in(const struct sis_chunk *chunk)
{
	return chunk->size - sizeof *chunk - chunk->used;
}

void *sis__filling_room(struct sis_filling *filling, uint64_t bytes)
{
	if (!filling->chunk || room_in(filling->chunk) < bytes) {
		/* with the release of the thread that made it */
		struct sis_chunk *spare = __atomic_exchange_n(&filling->spare, NULL,
							      __ATOMIC_ACQUIRE);
		if (!spare)
			return NULL;
		/* with the acquire in sis__filling_wants */
		__atomic_store_n(&filling->chunk, spare, __ATOMIC_RELEASE);
		if (room_in(spare) < bytes)
			return NULL;
	}
	return (char *)(filling->chunk + 1) + filling->chunk->used;
}

void sis__filling_done(struct sis_filling *filling, uint64_t bytes)
{
	/* a reader of the file sees what was appended before `used` covers it */
	__atomic_store_n(&filling->chunk->used, filling->chunk->used + bytes, __ATOMIC_RELEASE);
}

bool sis__filling_wants(const struct sis_filling *filling)
{
	/* with the release of the writer */
	const struct sis_chunk *chunk = __atomic_load_n(&filling->chunk, __ATOMIC_ACQUIRE);
	if (__atomic_load_n(&filling->spare, __ATOMIC_RELAXED))
		return false;
	return !chunk || __atomic_load_n(&chunk->used, __ATOMIC_RELAXED) > chunk->size / 2;
}

void sis__filling_give(struct sis_filling *filling, struct sis_chunk *chunk)
{
	/* with the acquire in sis__filling_room */
	__atomic_store_n(&filling->spare, chunk, __ATOMIC_RELEASE);
}
