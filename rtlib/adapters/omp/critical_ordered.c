/* SPDX-License-Identifier: BSD-3-Clause */
/* critical_ordered.c - constructs that one thread at a time executes: critical, atomic, ordered,
 * locks. The functions here are those of libgomp, called by the program; ompt_wait.c is for libomp.
 * Each wait becomes a node of a built-in region, and lock_history.c finds its cause.
 *
 * The idea: an entry that does not wait is counted, and seldom timed (uncontended.h). A thread
 * decides in one of these ways whether its entry waits:
 *
 *     lock           It tests the lock first. If the lock is taken and remains taken, the thread
 *                    makes a snapshot of the holder, and times the wait (lock_holders.c)
 *     critical,      There is no test, so it decides afterwards. If this thread was the last one in
 *     atomic         the construct before the entry, and still is after it, no other thread was
 *                    inside. If another thread was the last before the entry, the entry is timed
 *     ordered        Each entry is timed, unless the thread is alone in its team
 *
 * The constructs without a test are nodes in the tree of the thread that is inside. So what this
 * thread did inside is known afterwards.
 */
#include "adapters/omp/omp_team.h"
#include "adapters/omp/uncontended.h"

struct entry { /* a timed entry in a construct without a test */
	struct sis_span span;
	struct sis_node *node; /* of the span, or of the call in the source; NULL: not measured */
};

/* from: ticks; 0: now. */
static struct entry entry_begin(uint32_t wait, enum sis_region_type same, uint64_t from)
{
	struct entry entry = { .span = sis__span_begin_at(wait, same, from) };
	if (entry.span.thread)
		entry.node = entry.span.thread->pub.current;
	return entry;
}

static void entry_end(struct entry *entry, const void *lock, const struct sis_snapshot *first)
{
	uint64_t now = entry->node ? sis__ticks() : 0;
	if (!entry->node)
		return;
	sis__end(entry->span.thread, entry->span.node, now);
	if (entry->span.node)
		sis__time_waited(entry->span.thread, entry->node->start, now);
	sis__lock_acquired(entry->span.thread, entry->node, lock, entry->node->start, now, first,
			   NULL);
}

/* -- critical, atomic: of atomics, only operations without an instruction of the processor ---- */

/* A thread that is not measured also notes its entry, because another thread may wait for it. */
#define EXCLUSIVE(name, signature, lock, wait, same, then) \
	static __attribute__((noinline)) void name##_timed SIS_P_##signature \
	{ \
		struct entry entry = entry_begin(wait, same, 0); \
		SIS_OMP_REALLY(name) SIS_A_##signature; \
		if (entry.node) \
			entry_end(&entry, lock, NULL); \
		else \
			sis__lock_disown(lock); \
	} \
	static __attribute__((noinline)) void name##_sampled SIS_P_##signature \
	{ \
		uint64_t from = sis__ticks(); \
		SIS_OMP_REALLY(name) SIS_A_##signature; \
		sis__entered_sampled((struct sis_thread *)sis__self, lock, wait, same, from, \
				     sis__ticks()); \
	} \
	void name SIS_P_##signature \
	{ \
		struct sis_thread *thread = sis__thread_direct(); \
		if (thread && sis__lock_is_own(thread, lock)) { \
			if (!sis__passes_untimed(thread)) { \
				name##_sampled SIS_A_##signature; \
			} else { \
				SIS_OMP_REALLY(name) SIS_A_##signature; \
				sis__entered_untimed(thread, lock, wait, same); \
			} \
		} else if (sis__omp_forwards()) { \
			SIS_OMP_REALLY(name) SIS_A_##signature; \
			if (sis__local.off) \
				sis__lock_disown(lock); \
		} else { \
			name##_timed SIS_A_##signature; \
		} \
		then; \
	}
static const uint64_t nameless, everywhere; /* used as addresses, which differ above bit 2 */
EXCLUSIVE(GOMP_critical_start, NOTHING, &nameless, RT_CRITICAL, CR_NONE, (void)0)
EXCLUSIVE(GOMP_critical_name_start, NAME, name, RT_CRITICAL, CR_NONE, (void)0)
/* GCC also calls it before the combination of a reduction, unless the reduction has a single
 * scalar. */
EXCLUSIVE(GOMP_atomic_start, NOTHING, &everywhere, RT_ATOMIC, CR_OMPATOMIC, sis__combine_begin())

void GOMP_atomic_end(void)
{
	sis__combine_end();
	SIS_OMP_REALLY(GOMP_atomic_end)();
}

/* -- ordered ----------------------------------------------------------------------------------- */

void sis__ordered_taken(struct sis_thread *thread, struct sis_node *wait, uint64_t now)
{
	struct sis_team *me = sis__team();
	if (!me)
		return;
	/* Between its last ordered construct and this wait it was in the loop's body. */
	uint64_t from = wait->start, since = me->ordered ? me->ordered : me->start;
	struct sis_ordered_wait ordered = {
		from, { wait->parent, SIS_CULPRIT_ESTIMATED | SIS_CULPRIT_INSIDE }
	};
	if (from >= since && from - since >= sis__wait_short())
		ordered.before = sis__recent_region(thread, since, from);
	sis__lock_acquired(thread, wait, me->fork, from, now, NULL, &ordered);
	me->ordered = now;
}

static __attribute__((noinline)) void ordered_timed(void)
{
	struct sis_span span = sis__span_begin(RT_ORDERED, CR_NONE);
	SIS_OMP_REALLY(GOMP_ordered_start)();
	if (!span.thread)
		return;
	uint64_t now = sis__ticks();
	struct sis_node *wait = span.thread->pub.current;
	sis__end(span.thread, span.node, now);
	sis__time_waited(span.thread, wait->start, now);
	sis__ordered_taken(span.thread, wait, now);
}

void GOMP_ordered_start(void)
{
	struct sis_thread *thread = sis__thread_direct();
	if (thread && sis__is_alone(thread)) {
		sis__count_no_wait(thread, RT_ORDERED);
		SIS_OMP_REALLY(GOMP_ordered_start)();
	} else if (sis__omp_forwards()) {
		SIS_OMP_REALLY(GOMP_ordered_start)();
	} else {
		ordered_timed();
	}
}

/* -- locks ------------------------------------------------------------------------------------- */

/* Whether the lock becomes free within some tests. Most waits for a lock end after a few
 * instructions of the holder. To make a node and search for the holder would take longer, so such a
 * wait counts as no wait. libgomp also tests several times. `word` is 0 while the lock is free. If
 * a version of libgomp does this differently, the wait is timed. */
static bool frees_soon(const volatile int *word)
{
	enum { LOOKS = 16 };
	for (int i = 0; i < LOOKS; i++) {
		if (*word == 0)
			return true;
#if defined __x86_64__ || defined __i386__
		__builtin_ia32_pause();
#endif
	}
	return false;
}

static void lock_end(struct entry *entry, const void *lock, const struct sis_snapshot *first)
{
	uint64_t now = sis__ticks(), from = entry->node->start;
	sis__end(entry->span.thread, entry->span.node, now);
	if (entry->span.node)
		sis__time_waited(entry->span.thread, from, now);
	sis__lock_hold(entry->span.thread, lock);
	sis__lock_waited(entry->span.thread, entry->node, lock, from, now,
			 first && first->slot != SIS_NO_SLOT ? first : NULL);
}

#define LOCK(set, test, unset) \
	static __attribute__((noinline)) void set##_timed(void *lock, uint64_t from) \
	{ \
		struct entry entry = entry_begin(RT_LOCK, CR_OMPLOCK, from); \
		if (!entry.node) { \
			SIS_OMP_REALLY(set)(lock); \
			return; \
		} \
		if (SIS_OMP_REALLY(test)(lock)) { \
			lock_end(&entry, lock, NULL); \
			return; \
		} \
		sis__lock_await(lock); \
		struct sis_snapshot first = sis__snapshot(sis__lock_holder(lock)); \
		SIS_OMP_REALLY(set)(lock); \
		sis__lock_await_no_more(lock); \
		lock_end(&entry, lock, &first); \
	} \
	static __attribute__((noinline)) void set##_sampled(struct sis_thread *thread, void *lock) \
	{ \
		uint64_t from = sis__ticks(); \
		if (!SIS_OMP_REALLY(test)(lock) && \
		    !(frees_soon(lock) && SIS_OMP_REALLY(test)(lock))) { \
			set##_timed(lock, from); \
			return; \
		} \
		uint64_t now = sis__ticks(); \
		struct sis_node *node = \
			sis__count_sampled(thread, RT_LOCK, CR_OMPLOCK, from, now); \
		sis__lock_hold(thread, lock); \
		if (sis__lock_is_awaited(lock)) \
			sis__lock_passed(thread, node, lock); \
	} \
	static __attribute__((noinline)) void set##_taken(struct sis_thread *thread, void *lock) \
	{ \
		uint64_t from = sis__ticks(); \
		if (frees_soon(lock) && SIS_OMP_REALLY(test)(lock)) \
			sis__lock_was_free(thread, lock, RT_LOCK, CR_OMPLOCK); \
		else \
			set##_timed(lock, from); \
	} \
	void set(void *lock) \
	{ \
		struct sis_thread *thread = sis__thread_direct(); \
		if (SIS_LIKELY(thread && sis__passes_untimed(thread))) { \
			if (SIS_LIKELY(SIS_OMP_REALLY(test)(lock))) \
				sis__lock_was_free(thread, lock, RT_LOCK, CR_OMPLOCK); \
			else \
				set##_taken(thread, lock); \
		} else if (thread) { \
			set##_sampled(thread, lock); \
		} else if (sis__omp_forwards()) { \
			SIS_OMP_REALLY(set)(lock); \
		} else { \
			set##_timed(lock, 0); \
		} \
	} \
	void unset(void *lock) \
	{ \
		if (SIS_LIKELY(sis__local.own != NULL)) \
			sis__lock_release(sis__local.own, lock); \
		SIS_OMP_REALLY(unset)(lock); \
	}
LOCK(omp_set_lock, omp_test_lock, omp_unset_lock)
LOCK(omp_set_nest_lock, omp_test_nest_lock, omp_unset_nest_lock)
