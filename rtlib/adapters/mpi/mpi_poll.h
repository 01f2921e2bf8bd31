/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_poll.h - polls: calls that ask whether a request is complete, or whether a message has come.
 * A loop of polls waits like a single call. So all polls in vain in one node for the same request
 * or message have one record. The record is written when a later poll or wait succeeds. Called by
 * any thread that may call MPI; mpi_poll.c owns the table.
 *
 *     Test ..... Test ..... Test, in vain ............ Test, done
 *     |====|     |====|     |====|                      POLLS, then DONE
 *
 * The time between two polls is work of the program, with two exceptions. This time belongs to the
 * polls if only a loop and probes fit in, or if the thread slept. Time without a processor is
 * divided between polls and work in the proportion of their other time.
 *
 * Under the budget, most polls in vain are only counted (SIS_RUNG_FRACTION). Each such poll adds
 * the mean time of a poll in its node. The next poll that is timed, or that finds something, also
 * adds the time between these polls, unless this time is long enough for work.
 *
 * The table is in the profile (SIS_CHUNK_POLLS), so that the sums of a process that is killed are
 * known.
 *
 * With MPI_THREAD_MULTIPLE, a thread that uses an entry holds the lock of its set. At lower levels
 * no lock is needed, because the program itself orders its calls of MPI.
 */
#ifndef SIS_MPI_POLL_H
#define SIS_MPI_POLL_H

#include "measure/core/slept.h"
#include "adapters/mpi/mpi_record.h"

#pragma GCC visibility push(hidden)

enum { SIS_POLL_BITS = 8 };
struct sis_mpi_poll_set { struct sis_polls way[SIS_POLL_WAYS]; };

extern struct sis_mpi_poll_set *sis__mpi_polls; /* the table: 1 << SIS_POLL_BITS sets */
extern uint8_t sis__mpi_poll_count[1 << SIS_POLL_BITS]; /* entries of each set that are in use */
/* ticks: longest time between two polls that counts as too short for work; 0: no poll was in vain
 * yet */
extern uint64_t sis__mpi_poll_gap;
extern uint64_t sis__mpi_poll_long; /* ticks: in a longer gap the thread may lack a processor */
/* ticks: mean time of a poll in the node of a set's first entry */
extern uint64_t sis__mpi_poll_mean[1 << SIS_POLL_BITS];
/* ticks: when this thread's last timed poll in vain ended */
extern __thread uint64_t sis__mpi_poll_end __attribute__((tls_model("initial-exec")));
/* this thread's polls in vain since sis__mpi_poll_end, and their time, computed from the means */
struct sis_mpi_untimed { uint64_t polls, ticks; };
extern __thread struct sis_mpi_untimed sis__mpi_untimed
	__attribute__((tls_model("initial-exec")));

/* Whether there may be sums of polls in vain for the key. */
static inline bool sis__mpi_may_have_polls(uint64_t key)
{
	const uint8_t *count = &sis__mpi_poll_count[sis_hash_top(key, SIS_POLL_BITS)];
	return __atomic_load_n(count, __ATOMIC_RELAXED) != 0;
}

static inline uint64_t sis__mpi_probe_key(MPI_Comm comm, int source, int tag)
{
	uint64_t what = (uint64_t)(uint32_t)source << 32 | (uint32_t)tag;
	return (SIS_KEY(comm) * SIS_HASH_SECOND ^ what * SIS_HASH_MULTIPLIER) | 1;
}

/* `before`: when the thread's previous timed poll in vain ended. */
void sis__mpi_polled_slow(const struct sis_mpi_call *call, uint64_t key, uint64_t before) SIS_COLD;

/* For an untimed poll whose entry is not the first of its set, or does not exist yet. */
void sis__mpi_polled_untimed_slow(const struct sis_mpi_call *call, uint64_t key) SIS_COLD;
SIS_QUICK void sis__mpi_polled_untimed(const struct sis_mpi_call *call, uint64_t key)
{
	uint64_t set = sis_hash_top(key, SIS_POLL_BITS), ticks = sis__mpi_poll_mean[set];
	struct sis_mpi_poll_set *sets = __atomic_load_n(&sis__mpi_polls, __ATOMIC_RELAXED);
	struct sis_polls *polls = sets[set].way;
	if (SIS_UNLIKELY(sis__mpi_threads) || SIS_UNLIKELY(polls->key != key) ||
	    SIS_UNLIKELY(polls->node != call->node)) {
		struct sis_mpi_call copy = *call;
		sis__mpi_polled_untimed_slow(&copy, key);
		return;
	}
	polls->ticks += ticks;
	sis__mpi_untimed.ticks += ticks;
	sis__mpi_untimed.polls++;
}

/* Adds the call, a poll in vain, to the sum for the key. */
SIS_QUICK void sis__mpi_polled(const struct sis_mpi_call *call, uint64_t key)
{
	if (SIS_UNLIKELY(!call->thread))
		return;
	if (call->untimed) {
		sis__mpi_polled_untimed(call, key);
		return;
	}
	uint64_t before = sis__mpi_poll_end, gap = call->enter - before;
	/* Relaxed is enough: if another thread moves the table at the same time, the slow path
	 * follows. */
	struct sis_mpi_poll_set *sets = __atomic_load_n(&sis__mpi_polls, __ATOMIC_RELAXED);
	struct sis_polls *polls = sets[sis_hash_top(key, SIS_POLL_BITS)].way;
	sis__mpi_poll_end = call->exit;
	if (SIS_UNLIKELY(sis__mpi_threads) || SIS_UNLIKELY(polls->key != key) ||
	    SIS_UNLIKELY(polls->node != call->node) || SIS_UNLIKELY(sis__mpi_untimed.polls) ||
	    SIS_UNLIKELY(sis__slept_since.ticks) ||
	    SIS_UNLIKELY(call->exit - before >= sis__mpi_poll_long)) {
		struct sis_mpi_call copy = *call;
		sis__mpi_polled_slow(&copy, key, before);
		return;
	}
	gap = gap <= sis__mpi_poll_gap ? gap : 0;
	polls->exit = call->exit;
	polls->ticks += call->exit - call->enter + gap;
	polls->between += gap;
}

/* Removes all sums for `key`. Copies this thread's sums, one for each node, to `taken`, and returns
 * their number. */
unsigned sis__mpi_polls_take(const struct sis_mpi_call *call, uint64_t key,
			     struct sis_polls taken[SIS_POLL_WAYS]);
/* Records the polls for a request that is complete now. */
void sis__mpi_polls_end(const struct sis_mpi_call *call, uint64_t key,
			const struct sis_mpi_request *request) SIS_COLD;
/* Records this thread's polls for a part of a partitioned message that has come. Keeps the polls of
 * other threads, which may be for other parts. */
void sis__mpi_polls_end_part(const struct sis_mpi_call *call, uint64_t key,
			     const struct sis_mpi_request *request) SIS_COLD;
/* Adds polls for a whole array of requests to the sum for one of the requests. */
void sis__mpi_polls_add(struct sis_polls polls, uint64_t key);
/* A test has found that all origins have completed their access to the window with this id. */
void sis__mpi_win_passed(const struct sis_mpi_call *call, uint64_t key, uint32_t window) SIS_COLD;
/* A probe has found the message of `status`, in the communicator with this id. */
void sis__mpi_probe_found(const struct sis_mpi_call *call, uint64_t key, uint32_t comm,
			  const MPI_Status *status) SIS_COLD;

#pragma GCC visibility pop
#endif
