/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_poll.c - sums of polls in vain, and their records. Called by any thread that may call MPI,
 * after its call has ended.
 *
 * A record of polls looks like one call that waited. The record ends at the end of the last poll,
 * and its length is the sum of the polls. So it begins later than the first poll, by the time of
 * the work between polls.
 *
 * LIMIT: if many threads poll, or many requests are polled in turn, one set may need more than
 * SIS_POLL_WAYS entries. Then the oldest sum is lost, and its time counts as data movement instead
 * of a wait.
 * LIMIT: polls for a request that another thread completes are not recorded.
 */
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/ticks.h"
#include "measure/core/slept.h"
#include "adapters/mpi/mpi_poll.h"
#include "output/profile/store.h"

enum {
	SHORTEST_PER_SECOND = 50000, /* 20 us: the analysis ignores shorter waits */
	GAP_PER_SECOND = 10000000,   /* 100 ns, ... */
	GAP_PROBES = 8,              /* ... but at least the time of this many pairs of probes */
	LONG_PER_SECOND = 2000,      /* 500 us: a scheduler takes a processor away for longer */
	SPINS = 100,
};

enum { SETS = 1 << SIS_POLL_BITS };
static struct sis_mpi_poll_set own_polls[SETS]; /* used if there is no room in the profile */
struct sis_mpi_poll_set *sis__mpi_polls = own_polls;
static struct { atomic_flag flag; } __attribute__((aligned(64))) poll_lock[SETS];
uint8_t sis__mpi_poll_count[1 << SIS_POLL_BITS];
uint64_t sis__mpi_poll_gap, sis__mpi_poll_long;
__thread uint64_t sis__mpi_poll_end __attribute__((tls_model("initial-exec")));
uint64_t sis__mpi_poll_mean[1 << SIS_POLL_BITS];
__thread struct sis_mpi_untimed sis__mpi_untimed __attribute__((tls_model("initial-exec")));

/* Called at the first poll in vain, when the table is empty. If two threads call this at once, the
 * sum of the second one may get lost. */
static void move_into_profile(void)
{
	static atomic_flag moved = ATOMIC_FLAG_INIT;
	struct sis_chunk *chunk;
	if (atomic_flag_test_and_set_explicit(&moved, memory_order_relaxed))
		return;
	chunk = sis__chunk_new(SIS_CHUNK_POLLS, SIS_NO_SLOT, sizeof own_polls);
	if (!chunk)
		return;
	chunk->used = sizeof own_polls;
	/* Relaxed is enough: new pages are zero for all threads. */
	__atomic_store_n(&sis__mpi_polls, sis__payload(chunk), __ATOMIC_RELAXED);
}

/* -- without a processor ----------------------------------------------------------------------- */

/* The kernel's counts for this thread at `ticks`; 0: the kernel was not asked yet. */
struct look { uint64_t ticks, ran; long slept; };
static __thread struct look last_look __attribute__((tls_model("initial-exec")));
static uint64_t begun[SETS]; /* ticks: begin of the first poll that made an entry in the set */

static uint64_t ticks_of(struct timeval t)
{
	uint64_t us = (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_usec;
	return sis__ns_to_ticks(us * 1000);
}

static struct look look(uint64_t now)
{
	struct rusage usage;
	if (syscall(SYS_getrusage, RUSAGE_THREAD, &usage) != 0)
		return (struct look){ .ticks = 0 };
	return (struct look){ now, ticks_of(usage.ru_utime) + ticks_of(usage.ru_stime),
			      usage.ru_nvcsw };
}

/* The ticks between `before` and the call in which the thread was ready to run and had no
 * processor. Returns 0 if the thread has slept since the last look, because then these ticks are
 * not known. Ticks without a processor are first counted for the call itself. */
static uint64_t without_processor(const struct sis_mpi_call *call, uint64_t before)
{
	struct look was = last_look, now = last_look = look(call->exit);
	uint64_t gap = call->enter - before, inside = call->exit - call->enter;
	if (!was.ticks || !now.ticks || was.ticks > before || was.slept != now.slept)
		return 0;
	uint64_t passed = now.ticks - was.ticks, busy = now.ran - was.ran + inside;
	uint64_t missed = passed > busy ? passed - busy : 0;
	return missed < gap ? missed : gap;
}

/* The part of `ticks` without a processor between polls that belongs to the wait. The rest belongs
 * to the work between polls. `ticks` is divided in the proportion of the other time of polls and
 * work. */
static uint64_t waiting_part(const struct sis_mpi_call *call, const struct sis_polls *polls,
			     uint64_t ticks)
{
	uint64_t passed = call->enter - begun[sis_hash_top(polls->key, SIS_POLL_BITS)];
	uint64_t rest = passed > ticks ? passed - ticks : 0;
	if (polls->ticks >= rest)
		return ticks;
	return sis__share(ticks, polls->ticks, rest);
}

/* The ticks between two timed polls for the same key that are no work. Ticks inside of untimed
 * polls between the two, and ticks in which the thread slept, are not included. Sets *slept to the
 * latter; they were added to the polls already. */
static uint64_t waited_between(const struct sis_mpi_call *call, const struct sis_polls *polls,
			       uint64_t before, uint64_t *slept)
{
	struct sis_mpi_untimed untimed = sis__mpi_untimed;
	uint64_t passed = call->enter - before;
	uint64_t rest = passed > untimed.ticks ? passed - untimed.ticks : 0;
	sis__mpi_untimed = (struct sis_mpi_untimed){ 0, 0 };
	*slept = sis__slept_move(call->thread, polls->node, rest);
	rest -= *slept;
	if (rest <= sis__mpi_poll_gap * (untimed.polls + 1 + (*slept > 0)))
		return rest;
	uint64_t without = call->exit - before >= sis__mpi_poll_long ?
		without_processor(call, before) : 0;
	return waiting_part(call, polls, without < rest ? without : rest);
}

/* -- sums -------------------------------------------------------------------------------------- */

/* Acquire and release pair: each holder of the lock sees what the previous holder wrote. */
static struct sis_mpi_poll_set *hold(uint64_t key)
{
	uint64_t set = sis_hash_top(key, SIS_POLL_BITS);
	for (int i = 1; sis__mpi_threads && atomic_flag_test_and_set_explicit(
			&poll_lock[set].flag, memory_order_acquire); i++)
		if (i % SPINS == 0)
			sched_yield();
	return &__atomic_load_n(&sis__mpi_polls, __ATOMIC_RELAXED)[set];
}

static void let_go(struct sis_mpi_poll_set *polls, uint64_t key)
{
	uint64_t set = sis_hash_top(key, SIS_POLL_BITS);
	uint8_t used = 0;
	for (int i = 0; i < SIS_POLL_WAYS; i++)
		used += polls->way[i].key != 0;
	__atomic_store_n(&sis__mpi_poll_count[set], used, __ATOMIC_RELAXED);
	if (sis__mpi_threads)
		atomic_flag_clear_explicit(&poll_lock[set].flag, memory_order_release);
}

/* The entry with this key and node. If there is none, the entry whose last poll is the oldest. */
static struct sis_polls *entry_for(struct sis_mpi_poll_set *set, uint64_t key,
				       const struct sis_node *node)
{
	struct sis_polls *oldest = set->way;
	for (int i = 0; i < SIS_POLL_WAYS; i++) {
		struct sis_polls *way = &set->way[i];
		if (way->key == key && way->node == node)
			return way;
		oldest = way->exit < oldest->exit ? way : oldest;
	}
	*oldest = (struct sis_polls){ .key = 0 };
	return oldest;
}

void sis__mpi_polls_add(struct sis_polls polls, uint64_t key)
{
	struct sis_mpi_poll_set *set = hold(key);
	struct sis_polls *entry = entry_for(set, key, polls.node), first = set->way[0];
	polls.key = key;
	polls.ticks += entry->ticks;
	polls.between += entry->between;
	*entry = first; /* the fast path looks only at the first entry of a set */
	set->way[0] = polls;
	sis__mpi_poll_mean[sis_hash_top(key, SIS_POLL_BITS)] =
		polls.node->total / polls.node->calls;
	let_go(set, key);
}

/* The sum of earlier polls for the key in the call's node. The sum's key is 0 if this poll is the
 * first. */
static struct sis_polls so_far(const struct sis_mpi_call *call, uint64_t key)
{
	struct sis_mpi_poll_set *set = hold(key);
	struct sis_polls polls = { .key = 0 };
	for (int i = 0; i < SIS_POLL_WAYS; i++)
		if (set->way[i].key == key && set->way[i].node == call->node)
			polls = set->way[i];
	if (!polls.key)
		begun[sis_hash_top(key, SIS_POLL_BITS)] = call->enter;
	let_go(set, key);
	return polls;
}

static __attribute__((noinline)) void set_gaps(void)
{
	const struct sis_profile_header *header = sis__header();
	double pair_ns = header->probe_inner_ns + header->probe_outer_ns;
	uint64_t probes = sis__ns_to_ticks((uint64_t)(GAP_PROBES * pair_ns));
	uint64_t gap = header->ticks_per_second / GAP_PER_SECOND;
	__atomic_store_n(&sis__mpi_poll_long, header->ticks_per_second / LONG_PER_SECOND,
			 __ATOMIC_RELAXED);
	__atomic_store_n(&sis__mpi_poll_gap, probes > gap ? probes : gap, __ATOMIC_RELAXED);
}

static void prepare(void)
{
	if (__atomic_load_n(&sis__mpi_poll_gap, __ATOMIC_RELAXED))
		return;
	move_into_profile();
	unsigned long long program = sis__arithmetic_begin();
	set_gaps();
	sis__arithmetic_end(program);
}

void sis__mpi_polled_slow(const struct sis_mpi_call *call, uint64_t key, uint64_t before)
{
	uint64_t gap = 0, slept = 0;
	struct sis_polls polls = so_far(call, key);
	prepare();
	if (polls.key)
		gap = waited_between(call, &polls, before, &slept);
	else if (call->exit - last_look.ticks >= sis__mpi_poll_long)
		last_look = look(call->exit);
	sis__slept_forget();
	sis__mpi_polls_add((struct sis_polls){ .thread = call->thread,
						   .node = call->node,
						   .exit = call->exit,
						   .ticks = call->exit - call->enter + gap + slept,
						   .between = gap },
			   key);
}

/* The first poll in vain begins a sum, to which the following time is added. */
void sis__mpi_polled_untimed_slow(const struct sis_mpi_call *call, uint64_t key)
{
	uint64_t now = sis__ticks(), mean = call->node->total / call->node->calls;
	bool first = !so_far(call, key).key;
	prepare();
	if (first) {
		sis__slept_forget();
		sis__mpi_poll_end = now;
		sis__mpi_untimed = (struct sis_mpi_untimed){ 0, 0 };
	} else {
		sis__mpi_untimed.ticks += mean;
		sis__mpi_untimed.polls++;
	}
	sis__mpi_polls_add((struct sis_polls){ .thread = call->thread,
						   .node = call->node,
						   .exit = now,
						   .ticks = first ? 0 : mean },
			   key);
}

/* `others`: also removes the polls of other threads. */
static unsigned take_polls(const struct sis_mpi_call *call, uint64_t key, bool others,
			   struct sis_polls taken[SIS_POLL_WAYS])
{
	unsigned n = 0;
	struct sis_mpi_poll_set *set = hold(key);
	for (int i = 0; i < SIS_POLL_WAYS; i++) {
		struct sis_polls *way = &set->way[i];
		bool own = call->thread && way->thread == call->thread;
		if (way->key != key || !(own || others))
			continue;
		if (own)
			taken[n++] = *way;
		*way = (struct sis_polls){ .key = 0 };
	}
	let_go(set, key);
	/* The thread may also have lost its processor after the last poll in vain. */
	for (unsigned i = 0; i < n; i++) {
		struct sis_polls *polls = &taken[i];
		bool untimed = sis__mpi_untimed.polls > 0;
		uint64_t slept, gap = waited_between(call, polls, polls->exit, &slept);
		polls->exit = gap || slept || untimed ? call->enter : polls->exit;
		polls->ticks += gap + slept;
		polls->between += gap;
	}
	return n;
}

unsigned sis__mpi_polls_take(const struct sis_mpi_call *call, uint64_t key,
			     struct sis_polls taken[SIS_POLL_WAYS])
{
	return take_polls(call, key, true, taken);
}

/* -- records ----------------------------------------------------------------------------------- */

static void put(const struct sis_mpi_call *call, const struct sis_polls *polls,
		struct sis_record record)
{
	if (!call->thread || record.comm == SIS_UNMATCHED ||
	    polls->ticks < sis__header()->ticks_per_second / SHORTEST_PER_SECOND)
		return;
	record.node = polls->node;
	record.enter = polls->exit - polls->ticks;
	record.exit = polls->exit;
	record.bytes = polls->between;
	sis__record_put(call->thread, &record);
}

static void put_of_request(const struct sis_mpi_call *call, const struct sis_polls *polls,
			   const struct sis_mpi_request *request)
{
	bool collective = request->kind == SIS_REQUEST_COLLECTIVE;
	struct sis_record record = {
		.kind = SIS_RECORD_POLLS,
		.flags = collective ? SIS_RECORD_BEGUN : 0,
		.serial = collective ? request->number : request->serial,
		.comm = request->comm,
		.peer = -1,
		.tag = -1,
	};
	put(call, polls, record);
	record.serial++;
	if (request->kind == SIS_REQUEST_BOTH)
		put(call, polls, record);
}

void sis__mpi_polls_end(const struct sis_mpi_call *call, uint64_t key,
			const struct sis_mpi_request *request)
{
	struct sis_polls taken[SIS_POLL_WAYS];
	unsigned n = sis__mpi_polls_take(call, key, taken);
	for (unsigned i = 0; i < n && request->kind != SIS_REQUEST_COMM; i++)
		put_of_request(call, &taken[i], request);
}

void sis__mpi_polls_end_part(const struct sis_mpi_call *call, uint64_t key,
			     const struct sis_mpi_request *request)
{
	struct sis_polls taken[SIS_POLL_WAYS];
	unsigned n = take_polls(call, key, false, taken);
	for (unsigned i = 0; i < n; i++)
		put_of_request(call, &taken[i], request);
}

/* The record ends an epoch, so only one record is written.
 * LIMIT: if tests in vain were in several nodes, only the node with most tests has a record. */
void sis__mpi_win_passed(const struct sis_mpi_call *call, uint64_t key, uint32_t window)
{
	struct sis_polls taken[SIS_POLL_WAYS];
	struct sis_polls most = { .node = call->node,
				      .exit = call->exit,
				      .ticks = call->exit - call->enter };
	unsigned n = sis__mpi_may_have_polls(key) ? sis__mpi_polls_take(call, key, taken) : 0;
	for (unsigned i = 0; i < n; i++)
		most = taken[i].ticks > most.ticks ? taken[i] : most;
	if (!call->thread)
		return;
	struct sis_record record = { .kind = SIS_RECORD_WAIT,
				     .flags = SIS_RECORD_POLL,
				     .node = most.node,
				     .enter = most.exit - most.ticks,
				     .exit = most.exit,
				     .bytes = most.between,
				     .comm = window,
				     .peer = -1,
				     .tag = -1 };
	sis__record_put(call->thread, &record);
}

/* The call that found the message may also have waited, if the process had no processor. */
void sis__mpi_probe_found(const struct sis_mpi_call *call, uint64_t key, uint32_t comm,
			  const MPI_Status *status)
{
	struct sis_polls taken[SIS_POLL_WAYS];
	struct sis_polls last = { .node = call->node,
				      .exit = call->exit,
				      .ticks = call->exit - call->enter };
	struct sis_record record = { .kind = SIS_RECORD_PROBE,
				     .flags = SIS_RECORD_POLL,
				     .comm = comm,
				     .peer = status->MPI_SOURCE,
				     .tag = status->MPI_TAG };
	unsigned n = sis__mpi_may_have_polls(key) ? sis__mpi_polls_take(call, key, taken) : 0;
	if (status->MPI_SOURCE < 0) /* MPI_PROC_NULL */
		return;
	for (unsigned i = 0; i < n; i++)
		put(call, &taken[i], record);
	put(call, &last, record);
}
