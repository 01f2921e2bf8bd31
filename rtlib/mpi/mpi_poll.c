/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_poll.c - sums of polls in vain, and their records. Any thread that may call MPI, after its
 * call has ended.
 *
 * A record of polls ends when the last poll ended. Its length is the sum of the polls, so it begins
 * later than the first poll: by the work between the polls. It looks like one call that waited.
 *
 * LIMIT: with many threads or requests that are polled in turn, more than SIS_POLL_WAYS of them may
 * meet in one set. Then the oldest sum is lost, and its time stays data movement.
 * LIMIT: polls of a request that another thread completes are not recorded.
 */
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/slept.h"
#include "mpi/mpi_poll.h"
#include "profile/store.h"

enum {
	SHORTEST_PER_SECOND = 50000, /* 20 us: analysis does not look at shorter waits */
	GAP_PER_SECOND = 10000000,   /* 100 ns */
	GAP_PROBES = 8,              /* but at least what so many pairs of probes take */
	LONG_PER_SECOND = 2000,      /* 500 us: a scheduler takes a processor away for longer */
	SPINS = 100,
};

enum { SETS = 1 << SIS_POLL_BITS };
static struct sis_mpi_poll_set own_polls[SETS]; /* if there is no room in the profile */
struct sis_mpi_poll_set *sis__mpi_polls = own_polls;
static struct { atomic_flag flag; } __attribute__((aligned(64))) poll_lock[SETS];
uint8_t sis__mpi_poll_count[1 << SIS_POLL_BITS];
uint64_t sis__mpi_poll_gap, sis__mpi_poll_long;
__thread uint64_t sis__mpi_poll_end __attribute__((tls_model("initial-exec")));
uint64_t sis__mpi_poll_mean[1 << SIS_POLL_BITS];
__thread struct sis_mpi_untimed sis__mpi_untimed __attribute__((tls_model("initial-exec")));

static void set_limits(void)
{
	const struct sis_profile_header *header = sis__header();
	double second = (double)header->ticks_per_second;
	double pair = header->probe_inner_ns + header->probe_outer_ns;
	uint64_t probes = (uint64_t)(GAP_PROBES * pair * second / 1e9);
	uint64_t gap = header->ticks_per_second / GAP_PER_SECOND;
	__atomic_store_n(&sis__mpi_poll_long, header->ticks_per_second / LONG_PER_SECOND,
			 __ATOMIC_RELAXED);
	__atomic_store_n(&sis__mpi_poll_gap, probes > gap ? probes : gap, __ATOMIC_RELAXED);
}

/* At the first poll in vain the table is empty. If two threads are here at once, the sum of the one
 * that comes second may get lost. */
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
	/* Relaxed: new pages are zero for all threads. */
	__atomic_store_n(&sis__mpi_polls, sis__payload(chunk), __ATOMIC_RELAXED);
}

/* -- without a processor ----------------------------------------------------------------------- */

/* What the kernel said of this thread at `ticks`; 0: it was not asked yet. */
struct look { uint64_t ticks, ran; long slept; };
static __thread struct look last_look __attribute__((tls_model("initial-exec")));

static uint64_t ticks_of(struct timeval t)
{
	uint64_t us = (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_usec;
	return (uint64_t)((double)us * (double)sis__header()->ticks_per_second / 1e6);
}

static struct look look(uint64_t now)
{
	struct rusage usage;
	if (syscall(SYS_getrusage, RUSAGE_THREAD, &usage) != 0)
		return (struct look){ .ticks = 0 };
	return (struct look){ now, ticks_of(usage.ru_utime) + ticks_of(usage.ru_stime),
			      usage.ru_nvcsw };
}

/* Of the ticks between `before` and the call, those in which the thread was ready to run and had no
 * processor. None if it slept since the last look, because then they are not known. Ticks without a
 * processor are counted for the call itself first. */
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

/* The ticks between two timed polls of one thing that are no work, without those of the polls that
 * were not timed. *slept: of the time between them the thread slept so many ticks, which are the
 * polls' already. */
static uint64_t waited_between(const struct sis_mpi_call *call, struct sis_node *polls,
			       uint64_t before, uint64_t *slept)
{
	struct sis_mpi_untimed untimed = sis__mpi_untimed;
	uint64_t passed = call->enter - before;
	uint64_t rest = passed > untimed.ticks ? passed - untimed.ticks : 0;
	sis__mpi_untimed = (struct sis_mpi_untimed){ 0, 0 };
	*slept = sis__slept_move(call->thread, polls, rest);
	rest -= *slept;
	if (rest <= sis__mpi_poll_gap * (untimed.polls + 1 + (*slept > 0)))
		return rest;
	uint64_t without = call->exit - before >= sis__mpi_poll_long ?
		without_processor(call, before) : 0;
	return without < rest ? without : rest;
}

/* -- sums -------------------------------------------------------------------------------------- */

/* Acquire and release are partners: each holder sees what the one before wrote. */
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

/* The entry for polls of the key in the node, else the one whose last poll is the oldest. */
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
	*entry = first; /* the fast path looks at the first way only */
	set->way[0] = polls;
	sis__mpi_poll_mean[sis_hash_top(key, SIS_POLL_BITS)] =
		polls.node->total / polls.node->calls;
	let_go(set, key);
}

/* Other polls may have come between those of the key. */
static bool is_first(const struct sis_mpi_call *call, uint64_t key)
{
	struct sis_mpi_poll_set *set = hold(key);
	bool first = true;
	for (int i = 0; i < SIS_POLL_WAYS; i++)
		first &= set->way[i].key != key || set->way[i].node != call->node;
	let_go(set, key);
	return first;
}

static void prepare(void)
{
	if (!__atomic_load_n(&sis__mpi_poll_gap, __ATOMIC_RELAXED)) {
		move_into_profile();
		set_limits();
	}
}

void sis__mpi_polled_slow(const struct sis_mpi_call *call, uint64_t key, uint64_t before)
{
	uint64_t gap = 0, slept = 0;
	prepare();
	if (!is_first(call, key))
		gap = waited_between(call, call->node, before, &slept);
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

/* The first one begins a sum, to which what follows belongs. */
void sis__mpi_polled_untimed_slow(const struct sis_mpi_call *call, uint64_t key)
{
	uint64_t now = sis__ticks(), mean = call->node->total / call->node->calls;
	bool first = is_first(call, key);
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

/* The thread may have lost its processor after the last poll in vain, too. */
static struct sis_polls whole(const struct sis_mpi_call *call, struct sis_polls polls)
{
	bool untimed = sis__mpi_untimed.polls > 0;
	uint64_t slept, gap = waited_between(call, polls.node, polls.exit, &slept);
	polls.exit = gap || slept || untimed ? call->enter : polls.exit;
	polls.ticks += gap + slept;
	polls.between += gap;
	return polls;
}

/* `others`: also removes the polls of other threads. */
static unsigned take(const struct sis_mpi_call *call, uint64_t key, bool others,
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
	for (unsigned i = 0; i < n; i++)
		taken[i] = whole(call, taken[i]);
	return n;
}

unsigned sis__mpi_polls_take(const struct sis_mpi_call *call, uint64_t key,
			     struct sis_polls taken[SIS_POLL_WAYS])
{
	return take(call, key, true, taken);
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
	unsigned n = take(call, key, false, taken);
	for (unsigned i = 0; i < n; i++)
		put_of_request(call, &taken[i], request);
}

/* The record ends an epoch, so there is only one.
 * LIMIT: of tests in vain in several nodes, only those in the node with most of them have a
 * record. */
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

/* The call that found it may have waited, too: if the process had no processor. */
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
