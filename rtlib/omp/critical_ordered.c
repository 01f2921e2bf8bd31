/* SPDX-License-Identifier: BSD-3-Clause */
/* critical_ordered.c - constructs that one thread at a time executes: critical, atomic, ordered,
 * locks. The program's threads call libgomp's functions here; ompt_wait.c does the same for libomp.
 * Each wait becomes a node of a built-in region, and lock_history.c finds its cause.
 *
 * Only a lock can be tried first, so that contention is known before the wait; then a snapshot of
 * its owner is taken. The other constructs are nodes in their owner's tree, so it is known
 * afterwards what the owner did inside.
 */
#include "omp/omp_team.h"

struct entry { /* entering such a construct */
	struct sis_span span;
	struct sis_node *wait; /* the span's, or the source's of the call; NULL: not measured */
};

static struct entry entry_begin(uint32_t wait, enum sis_region_type same)
{
	struct entry entry = { .span = sis__span_begin(wait, same) };
	if (entry.span.thread)
		entry.wait = entry.span.thread->pub.current;
	return entry;
}

static void entry_end(struct entry *entry, const void *lock, const struct sis_snapshot *first)
{
	uint64_t now = entry->wait ? sis__ticks() : 0;
	if (!entry->wait)
		return;
	sis__end(entry->span.thread, entry->span.node, now);
	sis__lock_acquired(entry->span.thread, entry->wait, lock, entry->wait->start, now, first,
			   NULL);
}

/* -- critical ---------------------------------------------------------------------------------- */

void GOMP_critical_start(void)
{
	static const char nameless;
	struct entry entry = entry_begin(RT_CRITICAL, CR_NONE);
	SIS_OMP_REALLY(GOMP_critical_start)();
	entry_end(&entry, &nameless, NULL);
}

void GOMP_critical_name_start(void **name)
{
	struct entry entry = entry_begin(RT_CRITICAL, CR_NONE);
	SIS_OMP_REALLY(GOMP_critical_name_start)(name);
	entry_end(&entry, name, NULL);
}

/* -- atomic: only operations without an instruction of the processor --------------------------- */

void GOMP_atomic_start(void)
{
	static const char everywhere;
	struct entry entry = entry_begin(RT_ATOMIC, CR_OMPATOMIC);
	SIS_OMP_REALLY(GOMP_atomic_start)();
	entry_end(&entry, &everywhere, NULL);
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

void GOMP_ordered_start(void)
{
	struct entry entry = entry_begin(RT_ORDERED, CR_NONE);
	SIS_OMP_REALLY(GOMP_ordered_start)();
	if (!entry.wait)
		return;
	uint64_t now = sis__ticks();
	sis__end(entry.span.thread, entry.span.node, now);
	sis__ordered_taken(entry.span.thread, entry.wait, now);
}

/* -- locks ------------------------------------------------------------------------------------- */

/* The lock was free: there was no wait. */
static void free_end(struct entry *entry, const void *lock)
{
	uint64_t at = entry->wait->start;
	sis__span_end(entry->span);
	sis__lock_acquired(entry->span.thread, entry->wait, lock, at, at, NULL, NULL);
}

#define LOCK(set, test) \
	void set(void *lock) \
	{ \
		struct entry entry = entry_begin(RT_LOCK, CR_OMPLOCK); \
		if (!entry.wait) { \
			SIS_OMP_REALLY(set)(lock); \
			return; \
		} \
		if (SIS_OMP_REALLY(test)(lock)) { \
			free_end(&entry, lock); \
			return; \
		} \
		struct sis_snapshot first = sis__snapshot(sis__lock_owner(lock)); \
		SIS_OMP_REALLY(set)(lock); \
		entry_end(&entry, lock, first.slot == SIS_NO_SLOT ? NULL : &first); \
	}
LOCK(omp_set_lock, omp_test_lock)
LOCK(omp_set_nest_lock, omp_test_nest_lock)
