/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_request.h - the table of active and persistent requests; this is the inline part, which most
 * calls need. Entries are filled and read in the table, without copies. Called by any thread that
 * may call MPI; mpi_request.c owns the table.
 *
 * The table has shards, so that threads can use it at the same time. A shard is locked only with
 * MPI_THREAD_MULTIPLE, because at lower levels the program itself orders its calls of MPI. A shard
 * is locked for a few loads and stores only, never during a call of MPI.
 */
#ifndef SIS_MPI_REQUEST_H
#define SIS_MPI_REQUEST_H

#include "adapters/mpi/mpi_record.h"

#pragma GCC visibility push(hidden)

enum { SIS_MPI_SHARDS = 16 };
struct sis_mpi_shard {
	atomic_flag lock;
	struct sis_mpi_request **bucket; /* `mask` + 1 of them; NULL before the first request */
	uint64_t mask;
	uint64_t count;
	struct sis_mpi_request *spare;   /* free entries */
} __attribute__((aligned(64)));

extern struct sis_mpi_shard sis__mpi_shards[SIS_MPI_SHARDS];
extern _Atomic uint64_t sis__mpi_serials;
/* The number of entries in all shards. Relaxed is enough: a thread knows a request only after the
 * call that added it. */
extern _Atomic uint64_t sis__mpi_tracked;
/* its address identifies the thread */
extern __thread char sis__mpi_me __attribute__((tls_model("initial-exec")));

void sis__mpi_shard_lock(struct sis_mpi_shard *shard) SIS_COLD;
/* Grows the shard, or makes entries. Returns a free entry; NULL: no memory. Keeps errno. */
struct sis_mpi_request *sis__mpi_request_room(struct sis_mpi_shard *shard) SIS_COLD;
/* The link to this thread's newest entry with `key`. If it has none, the link to the newest entry
 * of any thread; NULL: there is no entry. */
struct sis_mpi_request **sis__mpi_request_own(struct sis_mpi_shard *shard, uint64_t key) SIS_COLD;

/* Removes the newest entry with `key`, active or not, and returns a copy of it. If there is none,
 * the copy's `comm` is SIS_UNMATCHED. */
struct sis_mpi_request sis__mpi_request_remove(uint64_t key);

/* Adds to sis__mpi_serials or sis__mpi_tracked. Returns the value before. */
SIS_QUICK uint64_t sis__mpi_add(_Atomic uint64_t *sum, uint64_t count)
{
	uint64_t before = atomic_load_explicit(sum, memory_order_relaxed);
	if (SIS_UNLIKELY(sis__mpi_threads))
		return atomic_fetch_add_explicit(sum, count, memory_order_relaxed);
	atomic_store_explicit(sum, before + count, memory_order_relaxed);
	return before;
}

/* Returns the first of `count` new serials. */
SIS_QUICK uint64_t sis__mpi_request_serials(unsigned count)
{
	return sis__mpi_add(&sis__mpi_serials, count);
}

SIS_QUICK uint64_t sis__mpi_request_hash(uint64_t key)
{
	return (key * SIS_HASH_MULTIPLIER) >> 20;
}

/* Acquire and release pair: each holder of the lock sees what the previous holder wrote. */
SIS_QUICK struct sis_mpi_shard *sis__mpi_hold(uint64_t key)
{
	struct sis_mpi_shard *shard = &sis__mpi_shards[sis__mpi_request_hash(key) % SIS_MPI_SHARDS];
	if (SIS_UNLIKELY(sis__mpi_threads))
		sis__mpi_shard_lock(shard);
	return shard;
}

SIS_QUICK void sis__mpi_let_go(struct sis_mpi_shard *shard)
{
	if (SIS_UNLIKELY(sis__mpi_threads))
		atomic_flag_clear_explicit(&shard->lock, memory_order_release);
}

SIS_QUICK struct sis_mpi_request **sis__mpi_bucket(const struct sis_mpi_shard *shard, uint64_t key)
{
	return &shard->bucket[(sis__mpi_request_hash(key) / SIS_MPI_SHARDS) & shard->mask];
}

/* The link to the newest entry with `key`; NULL: there is none. */
SIS_QUICK struct sis_mpi_request **sis__mpi_request_find(const struct sis_mpi_shard *shard,
							 uint64_t key)
{
	if (SIS_UNLIKELY(!shard->bucket))
		return NULL;
	struct sis_mpi_request **link = sis__mpi_bucket(shard, key);
	while (SIS_LIKELY(*link != NULL) && SIS_UNLIKELY((*link)->key != key))
		link = &(*link)->next;
	return *link ? link : NULL;
}

/* Adds the request. If there is no memory, the request is not known, and its completion is not
 * recorded. */
SIS_QUICK void sis__mpi_request_add(uint64_t key, const struct sis_mpi_request *request)
{
	struct sis_mpi_shard *shard = sis__mpi_hold(key);
	struct sis_mpi_request *entry = shard->spare;
	if (SIS_UNLIKELY(!entry || shard->count > 2 * shard->mask))
		entry = sis__mpi_request_room(shard);
	if (SIS_LIKELY(entry != NULL)) {
		struct sis_mpi_request **head = sis__mpi_bucket(shard, key);
		shard->spare = entry->next;
		*entry = *request;
		entry->key = key;
		entry->owner = &sis__mpi_me;
		entry->next = *head;
		*head = entry;
		shard->count++;
		sis__mpi_add(&sis__mpi_tracked, 1);
	}
	sis__mpi_let_go(shard);
}

/* Takes the active request out of the table; the caller passes it to sis__mpi_request_give_back. A
 * persistent request stays in the table and becomes inactive. Returns NULL if the request is not
 * known. */
SIS_QUICK struct sis_mpi_request *sis__mpi_request_take(uint64_t key)
{
	struct sis_mpi_shard *shard = sis__mpi_hold(key);
	struct sis_mpi_request **link = SIS_UNLIKELY(sis__mpi_threads)
						? sis__mpi_request_own(shard, key)
						: sis__mpi_request_find(shard, key);
	struct sis_mpi_request *entry = link && (*link)->active ? *link : NULL;
	if (entry && entry->persistent) {
		entry->active = false;
	} else if (entry) {
		*link = entry->next;
		shard->count--;
		sis__mpi_add(&sis__mpi_tracked, -UINT64_C(1));
	}
	sis__mpi_let_go(shard);
	return entry;
}

SIS_QUICK void sis__mpi_request_give_back(struct sis_mpi_request *entry)
{
	if (SIS_UNLIKELY(entry->persistent))
		return;
	struct sis_mpi_shard *shard = sis__mpi_hold(entry->key);
	entry->next = shard->spare;
	shard->spare = entry;
	sis__mpi_let_go(shard);
}

/* Makes a persistent request active, with a new serial. Returns NULL if the request is not known.
 */
SIS_QUICK struct sis_mpi_request *sis__mpi_request_start(uint64_t key)
{
	struct sis_mpi_shard *shard = sis__mpi_hold(key);
	struct sis_mpi_request **link = sis__mpi_request_find(shard, key),
			       *entry = link ? *link : NULL;
	if (entry) {
		entry->serial = sis__mpi_request_serials(1);
		entry->active = true;
		entry->cancelled = false;
	}
	sis__mpi_let_go(shard);
	return entry;
}

#pragma GCC visibility pop
#endif
