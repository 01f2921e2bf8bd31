/* SPDX-License-Identifier: BSD-3-Clause */
/* sampler.c - the sampler: a thread of the runtime (own_thread.c) that looks at all slots. It is a
 * bare thread (bare_thread.h), unless a subscriber cannot work in one.
 *
 * Threads store their current node in each probe and know nothing of the sampler. A sample costs
 * two loads and one system call, for the clock of the thread's CPU time. The time between two
 * rounds is random, from half to one and a half of the interval. With a fixed time, work that the
 * program does in the same rhythm would be seen always or never.
 */
#include "base/bare_thread.h"
#include "base/futex.h"
#include "base/kernel_clock.h"
#include "base/own_thread.h"
#include "base/slot_table.h"
#include "base/state.h"
#include "base/thread_clock.h"
#include "measure/sampling/sampler.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SUBSCRIBERS = 5, RATE = 1000, RATE_ALONE = 100 };

static const struct sis_subscriber *subscriber[SUBSCRIBERS];
static unsigned subscribers;

static uint64_t interval_ns;
/* Any thread may start or stop the sampler, so `stopped`, `running` and `left` are loaded and
 * stored atomically. Only a forked child, which has one thread, sets them plainly. */
static uint32_t stopped; /* the thread also waits on this word */
static uint32_t running; /* the thread's number for the operating system; 0: there is no thread */
static bool left;        /* the sampler is never started again */
static bool bare;        /* the thread that runs is a bare one */
static bool needs_libc;  /* the thread must not be bare */

/* For each slot: the thread that filled it at the last round, the thread's CPU time at that round,
 * and the time of the round. Only the sampler uses this. */
static struct { uint32_t tid; uint64_t cpu_ns, ticks; } last[SIS_SLOTS];

void sis__sampler_subscribe(const struct sis_subscriber *one)
{
	for (unsigned i = 0; i < subscribers; i++)
		if (subscriber[i] == one)
			return;
	if (subscribers == SUBSCRIBERS)
		return;
	subscriber[subscribers] = one;
	/* release: the sampler's thread may already run */
	__atomic_store_n(&subscribers, subscribers + 1, __ATOMIC_RELEASE);
}

/* -- a round ----------------------------------------------------------------------------------- */

/* The sampled thread changes the nodes meanwhile. Each word is right for some moment, and nodes do
 * not move. */
#define FROM_OUTSIDE __attribute__((no_sanitize("thread")))

FROM_OUTSIDE static void look_at(uint32_t slot, uint64_t now)
{
	struct sis_thread *thread = sis__slot(slot);
	if (!thread || !sis__slot_is_taken(slot)) {
		last[slot].tid = 0;
		return;
	}
	uint32_t tid = *(const volatile uint32_t *)&thread->pub.tid;
	struct sis_sample sample = {
		.thread = thread,
		.node = *(struct sis_node *const volatile *)&thread->pub.current,
		.ticks = now,
	};
	uint64_t cpu_ns = tid ? sis__clock_ns(sis__thread_clock(tid)) : 0;
	if (tid != 0 && tid == last[slot].tid) { /* 0: the thread has not noted its number yet */
		sample.since = now - last[slot].ticks;
		sample.cpu_ns = cpu_ns > last[slot].cpu_ns ? cpu_ns - last[slot].cpu_ns : 0;
	}
	last[slot].tid = tid;
	last[slot].cpu_ns = cpu_ns;
	last[slot].ticks = now;
	for (unsigned i = 0; i < subscribers; i++)
		if (subscriber[i]->sample)
			subscriber[i]->sample(&sample);
}

/* -- the thread -------------------------------------------------------------------------------- */

static void *sample_on(void *unused)
{
	static uint64_t state = 0x9e3779b97f4a7c15u;
	sis__own_thread_begin("sis-sampler");
	__atomic_store_n(&running, (uint32_t)syscall(SYS_gettid), __ATOMIC_RELAXED);
	while (!__atomic_load_n(&stopped, __ATOMIC_RELAXED) && sis__store_is_live()) {
		uint64_t now = sis__ticks();
		uint32_t slots = __atomic_load_n(&sis__header()->max_slots, __ATOMIC_RELAXED);
		for (uint32_t slot = 0; slot < slots && slot < SIS_SLOTS; slot++)
			look_at(slot, now);
		for (unsigned i = 0; i < subscribers; i++)
			if (subscriber[i]->round)
				subscriber[i]->round(now);
		sis__header()->looked = now;
		state ^= state << 13; /* xorshift */
		state ^= state >> 7;
		state ^= state << 17;
		sis__futex_wait(&stopped, 0, interval_ns / 2 + state % interval_ns);
	}
	return unused;
}

static unsigned default_rate(void);

void sis__sampler_slow_down(unsigned rate)
{
	unsigned most = default_rate();
	interval_ns = 1000000000u / (rate < most ? rate : most);
}

static unsigned default_rate(void)
{
	cpu_set_t allowed;
	if (sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) == 1)
		return RATE_ALONE;
	return RATE;
}

static bool is_running(void)
{
	return __atomic_load_n(&running, __ATOMIC_RELAXED) != 0;
}

void sis__sampler_needs_libc(void)
{
	needs_libc = true;
}

bool sis__sampler_needs_malloc(void)
{
	return needs_libc || !sis__bare_thread_is_possible();
}

/* `running` is UINT32_MAX until the thread has stored its number. */
static bool start(void)
{
	uint32_t none = 0;
	if (!__atomic_compare_exchange_n(&running, &none, UINT32_MAX, false, __ATOMIC_RELAXED,
					 __ATOMIC_RELAXED))
		return true;
	__atomic_store_n(&stopped, 0, __ATOMIC_RELAXED);
	sis__guard();
	bare = !sis__sampler_needs_malloc();
	bool started = (bare ? sis__own_thread_start_bare(sample_on, &bare)
			     : sis__own_thread_start(sample_on, NULL)) == 0;
	if (!started)
		__atomic_store_n(&running, 0, __ATOMIC_RELAXED);
	sis__unguard();
	return started;
}

bool sis__sampler_start(unsigned rate)
{
	if (is_running())
		return true;
	if (__atomic_load_n(&left, __ATOMIC_RELAXED))
		return false;
	interval_ns = 1000000000u / (rate ? rate : default_rate());
	return start();
}

void sis__sampler_stop(void)
{
	if (!is_running())
		return;
	__atomic_store_n(&stopped, 1, __ATOMIC_RELAXED);
	sis__futex_wake(&stopped);
}

void sis__sampler_end(void)
{
	sis__sampler_stop();
	__atomic_store_n(&left, true, __ATOMIC_RELAXED);
}

void sis__sampler_leave(void)
{
	sis__sampler_end();
	sis__own_thread_wait(&running);
}

bool sis__sampler_pause(void)
{
	if (!is_running() || !bare)
		return false;
	sis__sampler_stop();
	return sis__own_thread_wait(&running);
}

void sis__sampler_resume(void)
{
	if (!__atomic_load_n(&left, __ATOMIC_RELAXED))
		start();
}

void sis__sampler_new_process(void)
{
	stopped = running = 0;
	left = needs_libc = false;
	sis__bare_thread_new_process();
	__builtin_memset(last, 0, sizeof last);
}
