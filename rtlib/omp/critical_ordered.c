/* SPDX-License-Identifier: BSD-3-Clause */
/* critical_ordered.c - constructs that one thread at a time executes: critical, atomic, ordered,
 * locks. The program's threads call libgomp's functions here; ompt_wait.c does the same for libomp.
 * Each wait becomes a node of a built-in region, and lock_history.c finds its cause.
 *
 * Its idea: an entry that does not wait is counted, and seldom timed (uncontended.h). How a thread
 * finds out whether its entry waits:
 *
 *     lock           by testing it first. If the lock is taken, the thread makes a snapshot of its
 *                    owner, and times the wait
 *     critical,      afterwards: there is no test. If this thread was the last one in the construct
 *     atomic         before the entry, and still is after it, no other thread was in it. If another
 *                    thread was the last one before the entry, the entry is timed
 *     ordered        not at all: each entry is timed, unless the thread is alone in its team
 *
 * The constructs without a test are nodes in their owner's tree, so it is known afterwards what the
 * owner did inside.
 */
#include "omp/omp_team.h"
#include "omp/uncontended.h"

struct entry { /* a timed entry in such a construct */
	struct sis_span span;
	struct sis_node *node; /* the span's, or the source's of the call; NULL: not measured */
};

static struct entry entry_begin(uint32_t wait, enum sis_region_type same)
{
	struct entry entry = { .span = sis__span_begin(wait, same) };
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

/* The lock was free: there was no wait. */
static void entry_end_free(struct entry *entry, const void *lock)
{
	uint64_t at = entry->node->start;
	sis__span_end(entry->span);
	sis__lock_acquired(entry->span.thread, entry->node, lock, at, at, NULL, NULL);
}

/* -- critical, atomic: of atomics, only operations without an instruction of the processor ---- */

/* A thread that is not measured leaves a note, too: it may be the one that another thread waits
 * for. */
#define EXCLUSIVE(name, signature, lock, wait, same, then) \
	static __attribute__((noinline)) void name##_timed SIS_P_##signature \
	{ \
		struct entry entry = entry_begin(wait, same); \
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
static const uint64_t nameless, everywhere; /* only their addresses, which differ above bit 2 */
EXCLUSIVE(GOMP_critical_start, NOTHING, &nameless, RT_CRITICAL, CR_NONE, (void)0)
EXCLUSIVE(GOMP_critical_name_start, NAME, name, RT_CRITICAL, CR_NONE, (void)0)
/* GCC also puts it around the combination of a reduction that is no single scalar. */
EXCLUSIVE(GOMP_atomic_start, NOTHING, &everywhere, RT_ATOMIC, CR_OMPATOMIC, sis__combine_begin())

void GOMP_atomic_end(void)
{
	sis__combine_end();
	SIS_OMP_REALLY(GOMP_atomic_end)();
}

/* -- ordered ----------------------------------------------------------------------------------- */

/* Where the thread was before it began to wait: in the loop's body, since its last ordered
 * construct. */
static struct sis_where before_ordered(struct sis_thread *thread, struct sis_node *wait,
				    struct sis_team *me)
{
	uint64_t now = wait->start, since = me->ordered ? me->ordered : me->start;
	if (now < since || now - since < sis__wait_short())
		return (struct sis_where){ wait->parent,
					   SIS_CULPRIT_ESTIMATED | SIS_CULPRIT_INSIDE };
	return sis__recent_region(thread, since, now);
}

void sis__ordered_taken(struct sis_thread *thread, struct sis_node *wait, uint64_t now)
{
	struct sis_team *me = sis__team();
	if (!me)
		return;
	struct sis_ordered_wait ordered = { wait->start, before_ordered(thread, wait, me) };
	sis__lock_acquired(thread, wait, me->fork, wait->start, now, NULL, &ordered);
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

#define LOCK(set, test) \
	static __attribute__((noinline)) void set##_timed(void *lock) \
	{ \
		struct entry entry = entry_begin(RT_LOCK, CR_OMPLOCK); \
		if (!entry.node) { \
			SIS_OMP_REALLY(set)(lock); \
			return; \
		} \
		if (SIS_OMP_REALLY(test)(lock)) { \
			entry_end_free(&entry, lock); \
			return; \
		} \
		struct sis_snapshot first = sis__snapshot(sis__lock_owner(lock)); \
		SIS_OMP_REALLY(set)(lock); \
		entry_end(&entry, lock, first.slot == SIS_NO_SLOT ? NULL : &first); \
	} \
	static __attribute__((noinline)) void set##_sampled(void *lock) \
	{ \
		struct sis_thread *thread = (struct sis_thread *)sis__self; \
		uint64_t from = sis__ticks(); \
		bool is_free = SIS_OMP_REALLY(test)(lock); \
		uint64_t now = sis__ticks(); \
		if (is_free && sis__lock_is_own(thread, lock)) \
			sis__entered_sampled(thread, lock, RT_LOCK, CR_OMPLOCK, from, now); \
		else if (is_free) \
			sis__lock_was_free(thread, lock, RT_LOCK, CR_OMPLOCK); \
		else \
			set##_timed(lock); \
	} \
	void set(void *lock) \
	{ \
		struct sis_thread *thread = sis__thread_direct(); \
		if (thread && thread->untimed == 0) \
			set##_sampled(lock); \
		else if (thread && sis__passes_untimed(thread) && SIS_OMP_REALLY(test)(lock)) \
			sis__lock_was_free(thread, lock, RT_LOCK, CR_OMPLOCK); \
		else if (sis__omp_forwards()) \
			SIS_OMP_REALLY(set)(lock); \
		else \
			set##_timed(lock); \
	}
LOCK(omp_set_lock, omp_test_lock)
LOCK(omp_set_nest_lock, omp_test_nest_lock)
