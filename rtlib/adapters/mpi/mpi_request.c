/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_request.c - the requests that are active or persistent, by their handles. Called by any
 * thread.
 *
 * Several active sends may have the same handle: MPICH has one handle for all small sends that are
 * complete when they begin. So a bucket may have several entries with the same key. A thread takes
 * the newest of its own entries, because it does not matter which of its sends a wait completes. If
 * no wrapper has seen the end of a request, its stale entry stays behind newer ones.
 */
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "adapters/mpi/mpi_fast_path.h"

enum { FIRST_BUCKETS = 64, POOL = 128, SPINS = 100, LOOKS = 256 };

__thread char sis__mpi_me;
struct sis_mpi_shard sis__mpi_shards[SIS_MPI_SHARDS];
_Atomic uint64_t sis__mpi_serials = 1, sis__mpi_tracked;

/* After some tries this thread yields, because the holder may have lost its processor. */
void sis__mpi_shard_lock(struct sis_mpi_shard *shard)
{
	for (int i = 1; atomic_flag_test_and_set_explicit(&shard->lock, memory_order_acquire); i++)
		if (i % SPINS == 0)
			sched_yield();
}

/* LIMIT: finds this thread's entry only if it is among the first entries with the key. */
struct sis_mpi_request **sis__mpi_request_own(struct sis_mpi_shard *shard, uint64_t key)
{
	struct sis_mpi_request **newest = sis__mpi_request_find(shard, key), **link = newest;
	for (int i = 0; link && *link && i < LOOKS; i++, link = &(*link)->next)
		if ((*link)->key == key && (*link)->owner == &sis__mpi_me)
			return link;
	return newest;
}

static struct sis_mpi_request *reversed(struct sis_mpi_request *chain)
{
	struct sis_mpi_request *back = NULL;
	for (struct sis_mpi_request *next; chain; chain = next) {
		next = chain->next;
		chain->next = back;
		back = chain;
	}
	return back;
}

/* Doubles the number of buckets; if there is no memory, chains only get longer. The oldest entries
 * are moved first, each to the front of its new chain, so that the newest entries stay first. */
static void grow(struct sis_mpi_shard *shard)
{
	uint64_t old_buckets = shard->bucket ? shard->mask + 1 : 0;
	uint64_t buckets = old_buckets ? old_buckets * 2 : FIRST_BUCKETS;
	struct sis_mpi_request **old = shard->bucket;
	struct sis_mpi_request **new = calloc(buckets, sizeof *new);
	if (!new)
		return;
	shard->bucket = new;
	shard->mask = buckets - 1;
	for (uint64_t i = 0; i < old_buckets; i++)
		for (struct sis_mpi_request *entry = reversed(old[i]), *next; entry; entry = next) {
			struct sis_mpi_request **head = sis__mpi_bucket(shard, entry->key);
			next = entry->next;
			entry->next = *head;
			*head = entry;
		}
	free(old);
}

struct sis_mpi_request *sis__mpi_request_room(struct sis_mpi_shard *shard)
{
	int error = errno;
	if (!shard->bucket || shard->count > 2 * shard->mask)
		grow(shard);
	if (!shard->spare) {
		struct sis_mpi_request *pool = calloc(POOL, sizeof *pool);
		for (int i = 0; pool && i < POOL; i++) {
			pool[i].next = shard->spare;
			shard->spare = &pool[i];
		}
	}
	errno = error;
	return shard->bucket ? shard->spare : NULL;
}

void sis__mpi_cancel(MPI_Request request)
{
	uint64_t key = SIS_KEY(request);
	struct sis_mpi_shard *shard = sis__mpi_hold(key);
	struct sis_mpi_request **link = sis__mpi_request_find(shard, key);
	if (link)
		(*link)->cancelled = true;
	sis__mpi_let_go(shard);
}

struct sis_mpi_request sis__mpi_request_remove(uint64_t key)
{
	struct sis_mpi_request removed = { .comm = SIS_UNMATCHED };
	struct sis_mpi_shard *shard = sis__mpi_hold(key);
	struct sis_mpi_request **link = sis__mpi_request_find(shard, key);
	if (link) {
		struct sis_mpi_request *entry = *link;
		removed = *entry;
		*link = entry->next;
		entry->next = shard->spare;
		shard->spare = entry;
		shard->count--;
		sis__mpi_add(&sis__mpi_tracked, -UINT64_C(1));
	}
	sis__mpi_let_go(shard);
	return removed;
}

/* If a receive is cancelled and freed without a wait, it is assumed that it got no message. MPI is
 * not asked, because it might end the program if the message had an error. Without a record of
 * this, the analyzer would pair the receive with the next message.
 * LIMIT: if any other request is freed while active, only its begin is recorded. A receive that is
 * freed is treated as if it had received a message from its source with its tag. If source or tag
 * is a wildcard, it is treated as no receive. Then later messages are paired with the wrong
 * receives. */
void sis__mpi_request_free(struct sis_mpi_call *call, MPI_Request request)
{
	uint64_t key = SIS_KEY(request);
	struct sis_mpi_request freed = sis__mpi_request_remove(key);
	if (freed.active && freed.cancelled && freed.kind == SIS_REQUEST_RECV)
		sis__mpi_done_record(call, SIS_RECORD_CANCELLED | SIS_RECORD_POLL, &freed,
				     freed.serial, -1, -1, 0);
	if (sis__mpi_may_have_polls(key))
		sis__mpi_polls_take(call, key, (struct sis_polls[SIS_POLL_WAYS]){ 0 });
}
