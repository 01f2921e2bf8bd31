/* SPDX-License-Identifier: BSD-3-Clause */
/* filling.c - see filling.h. A record is complete before the chunk's `used` covers it. So the file
 * is valid wherever the process is killed.
 */
#include "blame/stacks/filling.h"

static uint64_t room_in(const struct sis_chunk *chunk)
{
	return chunk->size - sizeof *chunk - chunk->used;
}

void *sis__filling_room(struct sis_filling *filling, uint64_t bytes)
{
	if (!filling->chunk || room_in(filling->chunk) < bytes) {
		/* pairs with the release in sis__filling_give */
		struct sis_chunk *spare = __atomic_exchange_n(&filling->spare, NULL,
							      __ATOMIC_ACQUIRE);
		if (!spare)
			return NULL;
		/* pairs with the acquire in sis__filling_wants */
		__atomic_store_n(&filling->chunk, spare, __ATOMIC_RELEASE);
		if (room_in(spare) < bytes)
			return NULL;
	}
	return (char *)(filling->chunk + 1) + filling->chunk->used;
}

void sis__filling_done(struct sis_filling *filling, uint64_t bytes)
{
	/* release: a reader of the file that sees the new `used` also sees the record */
	__atomic_store_n(&filling->chunk->used, filling->chunk->used + bytes, __ATOMIC_RELEASE);
}

bool sis__filling_wants(const struct sis_filling *filling)
{
	/* pairs with the release in sis__filling_room */
	const struct sis_chunk *chunk = __atomic_load_n(&filling->chunk, __ATOMIC_ACQUIRE);
	if (__atomic_load_n(&filling->spare, __ATOMIC_RELAXED))
		return false;
	return !chunk || __atomic_load_n(&chunk->used, __ATOMIC_RELAXED) > chunk->size / 2;
}

void sis__filling_give(struct sis_filling *filling, struct sis_chunk *chunk)
{
	/* pairs with the acquire in sis__filling_room */
	__atomic_store_n(&filling->spare, chunk, __ATOMIC_RELEASE);
}
