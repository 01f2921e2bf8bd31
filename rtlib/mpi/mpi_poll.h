/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_poll.h - polls: calls that ask whether a request is complete, or whether a message has come.
 * A loop over polls waits like a single call. So all polls in vain of one thing in one node have
 * one record, which is written when a poll or a wait succeeds. Any thread that may call MPI;
 * mpi_poll.c owns the table.
 *
 *     Test ..... Test ..... Test, in vain ............ Test, done
 *     |====|     |====|     |====|                      POLLS, then DONE
 *
 * The time between two polls is work of the program, unless it is so short that only a loop and
 * probes fit in, or the thread had no processor, or slept: then it counts as part of the polls.
 *
 * Under the budget, most polls in vain are only counted (SIS_RUNG_FRACTION). Each adds the mean
 * time of a poll in its node. The next one that is timed, or that finds something, adds the time
 * between them, if no work fits in.
 *
 * The table is in the profile (SIS_CHUNK_POLLS), so that the sums of a process that is killed are
 * known.
 *
 * An entry is used under the lock of its set. The lock is taken only with MPI_THREAD_MULTIPLE,
 * since otherwise the program orders calls of MPI.
 */
#ifndef SIS_MPI_POLL_H
#define SIS_MPI_POLL_H

#include "core/slept.h"
#include "mpi/mpi_record.h"

#pragma GCC visibility push(hidden)

enum { SIS_POLL_BITS = 8 };
struct sis_mpi_poll_set { struct sis_polls way[SIS_POLL_WAYS]; };

extern struct sis_mpi_poll_set *sis__mpi_polls; /* 1 << SIS_POLL_BITS of them */
extern uint8_t sis__mpi_poll_count[1 << SIS_POLL_BITS]; /* entries of each set that are in use */
/* ticks: no work fits between two polls that are so close; 0: there was no poll in vain yet */
extern uint64_t sis__mpi_poll_gap;
extern uint64_t sis__mpi_poll_long; /* ticks: the thread may have had no processor for so long */
/* ticks: a poll in the node of a set's first entry, on the average */
extern uint64_t sis__mpi_poll_mean[1 << SIS_POLL_BITS];
/* ticks: when this thread's last poll in vain ended that was timed */
extern __thread uint64_t sis__mpi_poll_end __attribute__((tls_model("initial-exec")));
/* the polls in vain of this thread since then, and what they took by the means */
struct sis_mpi_untimed { uint64_t polls, ticks; };
extern __thread struct sis_mpi_untimed sis__mpi_untimed
	__attribute__((tls_model("initial-exec")));

/* Whether there may be polls in vain of the key. */
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

/* `before`: when the thread's previous poll in vain ended that was timed. */
void sis__mpi_polled_slow(const struct sis_mpi_call *call, uint64_t key, uint64_t before) SIS_COLD;

/* Of a poll whose entry is not the first of its set, or does not exist yet. */
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

/* The call has polled in vain. */
SIS_QUICK void sis__mpi_polled(const struct sis_mpi_call *call, uint64_t key)
{
	if (SIS_UNLIKELY(!call->thread))
		return;
	if (call->untimed) {
		sis__mpi_polled_untimed(call, key);
		return;
	}
	uint64_t before = sis__mpi_poll_end, gap = call->enter - before;
	/* Relaxed: another thread may move the table, but then the slow path follows. */
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

/* Removes all polls of `key`. Returns how many sums, one for each node, are this thread's. */
unsigned sis__mpi_polls_take(const struct sis_mpi_call *call, uint64_t key,
			     struct sis_polls taken[SIS_POLL_WAYS]);
/* Records the polls of a request that is complete now. */
void sis__mpi_polls_end(const struct sis_mpi_call *call, uint64_t key,
			const struct sis_mpi_request *request) SIS_COLD;
/* Records this thread's polls of a part that has come. The request is not complete, and other
 * threads may poll other parts. */
void sis__mpi_polls_end_part(const struct sis_mpi_call *call, uint64_t key,
			     const struct sis_mpi_request *request) SIS_COLD;
/* Adds polls of a whole array to those of one of its requests. */
void sis__mpi_polls_add(struct sis_polls polls, uint64_t key);
/* A test has found that all have completed their access to the window with this id. */
void sis__mpi_win_passed(const struct sis_mpi_call *call, uint64_t key, uint32_t window) SIS_COLD;
/* A probe has found the message of `status`, in the communicator with this id. */
void sis__mpi_probe_found(const struct sis_mpi_call *call, uint64_t key, uint32_t comm,
			  const MPI_Status *status) SIS_COLD;

#pragma GCC visibility pop
#endif
