/* mpi_request.c - the requests that are active or persistent, by their handles. Any thread.
 *
 * A handle may stand for several active sends at once: MPICH gives all small sends that are done at once
 * the same one. So a bucket may hold a key many times and the newest is taken: it does not matter which of
 * such sends of a thread a wait completes, and should a request have ended where no wrapper saw it, its stale
 * entry stays below the newer one. Of several, a thread takes its own.
 *
 * Shards keep threads apart; their locks are taken under MPI_THREAD_MULTIPLE only, else calls of MPI are
 * ordered by the program. A lock is held for a few loads, never over a call.
 */
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "mpi/mpi_call.h"

enum { SHARDS = 16, FIRST_BUCKETS = 64, POOL = 128, SPINS = 100, LOOKS = 256 };

struct shard {
	atomic_flag lock;
	struct sis_mpi_request **bucket; /* `mask` + 1 of them; NULL before the first request */
	uint64_t mask;
	uint64_t count;
	struct sis_mpi_request *spare;   /* entries not in use */
} __attribute__((aligned(64)));

static __thread char self __attribute__((tls_model("initial-exec"))); /* its address tells threads apart */
static struct shard shards[SHARDS];
static _Atomic uint64_t serials = 1;

uint64_t sis__mpi_request_serials(unsigned count)
{
	uint64_t first = atomic_load_explicit(&serials, memory_order_relaxed);
	if (SIS_UNLIKELY(sis__mpi_threads))
		return atomic_fetch_add_explicit(&serials, count, memory_order_relaxed);
	atomic_store_explicit(&serials, first + count, memory_order_relaxed);
	return first;
}

static inline uint64_t hash(uint64_t key)
{
	return (key * 0x9e3779b97f4a7c15u) >> 20;
}

/* Acquire and release pair with each other: what one holder wrote the next one sees. A holder may have lost its
 * processor: after some tries ours is offered. */
static struct shard *hold(uint64_t key)
{
	struct shard *shard = &shards[hash(key) % SHARDS];
	if (sis__mpi_threads)
		for (int i = 1; atomic_flag_test_and_set_explicit(&shard->lock, memory_order_acquire); i++)
			if (i % SPINS == 0)
				sched_yield();
	return shard;
}

static inline void let_go(struct shard *shard)
{
	if (sis__mpi_threads)
		atomic_flag_clear_explicit(&shard->lock, memory_order_release);
}

static inline struct sis_mpi_request **bucket_of(const struct shard *shard, uint64_t key)
{
	return &shard->bucket[(hash(key) / SHARDS) & shard->mask];
}

/* The link that points to the newest entry of `key`; what it points to is NULL when there is none. */
static struct sis_mpi_request **find(const struct shard *shard, uint64_t key)
{
	static struct sis_mpi_request *none;
	if (!shard->bucket)
		return &none;
	struct sis_mpi_request **link = bucket_of(shard, key);
	while (*link && (*link)->key != key)
		link = &(*link)->next;
	return link;
}

/* Likewise, the newest of this thread, if it is among the first; other threads' wait for them themselves. */
static struct sis_mpi_request **find_own(const struct shard *shard, uint64_t key)
{
	struct sis_mpi_request **newest = find(shard, key), **link = newest;
	for (int i = 0; sis__mpi_threads && *link && i < LOOKS; i++, link = &(*link)->next)
		if ((*link)->key == key && (*link)->owner == &self)
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

/* Doubles the buckets; on failure chains grow longer, that is all. Entries are put in front, the oldest first, so
 * that they keep their order. */
static void grow(struct shard *shard)
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
			struct sis_mpi_request **head = bucket_of(shard, entry->key);
			next = entry->next;
			entry->next = *head;
			*head = entry;
		}
	free(old);
}

static struct sis_mpi_request *entry_new(struct shard *shard)
{
	if (!shard->spare) {
		struct sis_mpi_request *pool = calloc(POOL, sizeof *pool);
		for (int i = 0; pool && i < POOL; i++) {
			pool[i].next = shard->spare;
			shard->spare = &pool[i];
		}
	}
	struct sis_mpi_request *entry = shard->spare;
	if (entry)
		shard->spare = entry->next;
	return entry;
}

static void entry_remove(struct shard *shard, struct sis_mpi_request **link)
{
	struct sis_mpi_request *entry = *link;
	*link = entry->next;
	entry->next = shard->spare;
	shard->spare = entry;
	shard->count--;
}

void sis__mpi_request_add(uint64_t key, const struct sis_mpi_request *request)
{
	int error = errno;
	struct shard *shard = hold(key);
	if (SIS_UNLIKELY(!shard->bucket || shard->count > 2 * shard->mask))
		grow(shard);
	struct sis_mpi_request *entry = shard->bucket ? entry_new(shard) : NULL;
	if (SIS_LIKELY(entry != NULL)) {
		struct sis_mpi_request **head = bucket_of(shard, key);
		*entry = *request;
		entry->key = key;
		entry->owner = &self;
		entry->next = *head;
		*head = entry;
		shard->count++;
	}
	let_go(shard);
	errno = error;
}

bool sis__mpi_request_take(uint64_t key, struct sis_mpi_request *out)
{
	struct shard *shard = hold(key);
	struct sis_mpi_request **link = find_own(shard, key);
	bool known = *link && (*link)->active;
	if (known) {
		*out = **link;
		if (out->persistent)
			(*link)->active = (*link)->cancelled = false;
		else
			entry_remove(shard, link);
	}
	let_go(shard);
	return known;
}

bool sis__mpi_request_start(uint64_t key, struct sis_mpi_request *out)
{
	uint64_t serial = sis__mpi_request_serials(1);
	struct shard *shard = hold(key);
	struct sis_mpi_request *entry = *find(shard, key);
	if (entry) {
		entry->serial = serial;
		entry->active = true;
		*out = *entry;
	}
	let_go(shard);
	return entry != NULL;
}

void sis__mpi_cancel(MPI_Request request)
{
	uint64_t key = SIS_KEY(request);
	struct shard *shard = hold(key);
	struct sis_mpi_request *entry = *find(shard, key);
	if (entry)
		entry->cancelled = true;
	let_go(shard);
}

void sis__mpi_request_free(MPI_Request request)
{
	uint64_t key = SIS_KEY(request);
	struct shard *shard = hold(key);
	struct sis_mpi_request **link = find(shard, key);
	if (*link)
		entry_remove(shard, link);
	let_go(shard);
}
