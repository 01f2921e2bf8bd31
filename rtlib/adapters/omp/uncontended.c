/* SPDX-License-Identifier: BSD-3-Clause */
/* uncontended.c - the slow parts of uncontended.h: choosing which entries are timed, and making
 * nodes. Called by the thread that enters.
 */
#include "adapters/omp/uncontended.h"

#include <errno.h>

enum { SHORT = SIS__SHORT };

/* Returns the number of entries for which the timed one stands. Chooses the next timed entry at
 * random. With a fixed interval, an entry that recurs at the same interval would be timed always or
 * never. A thread's first timed entry stands for itself only. */
static uint32_t stands_for(struct sis_thread *thread, uint64_t now)
{
	uint32_t past = thread->stands_for;
	thread->stands_for = 1 + (uint32_t)sis_hash_mix(now) % (2 * SIS_UNTIMED - 1);
	thread->untimed = thread->stands_for - 1;
	return past ? past : 1;
}

/* Ticks between two successive readings of the clock, to be subtracted from the time of an entry.
 * Several threads may measure this at once, and each stores its own result. */
static uint64_t reading_ticks(void)
{
	static uint64_t known;
	uint64_t least = __atomic_load_n(&known, __ATOMIC_RELAXED);
	if (least)
		return least;
	least = SHORT;
	for (int i = 0; i < 16; i++) {
		uint64_t before = sis__ticks(), ticks = sis__ticks() - before;
		least = ticks < least ? ticks : least;
	}
	__atomic_store_n(&known, least + 1, __ATOMIC_RELAXED);
	return least + 1;
}

struct sis_node *sis__wait_node(struct sis_thread *thread, uint32_t wait,
				enum sis_region_type same)
{
	int saved = errno;
	struct sis_node *node = thread->pub.current;
	if (same == CR_NONE || sis__current_type(thread) != same)
		node = sis__child(thread, node, wait, NULL);
	errno = saved;
	return node;
}

void sis__lock_passed(struct sis_thread *thread, struct sis_node *node, const void *lock)
{
	if (node)
		sis__lock_taken(thread, node, lock, sis__ticks());
}

/* Adds a wait of the thread for the lock, from `from` to `now`. */
static void book_wait(struct sis_thread *thread, const void *lock, uint32_t wait,
		      enum sis_region_type same, uint64_t from, uint64_t now)
{
	struct sis_node *node = thread->pub.current;
	if (same == CR_NONE || sis__current_type(thread) != same) {
		node = sis__book_span(thread, node, sis__caller_region(wait), from, now);
		sis__time_waited(thread, from, now);
	} else {
		sis__time_wait(thread, from);
	}
	if (node)
		sis__lock_acquired(thread, node, lock, from, now, NULL, NULL);
}

void sis__entered_after_loss(struct sis_thread *thread, const void *lock, uint32_t wait,
			     enum sis_region_type same)
{
	uint64_t now = sis__ticks(), from = sis__lock_lost_at(thread, lock);
	book_wait(thread, lock, wait, same, from < thread->pub.stamp || from > now ? now : from,
		  now);
}

/* An entry that was interrupted stands for itself only. */
struct sis_node *sis__count_sampled(struct sis_thread *thread, uint32_t wait,
				    enum sis_region_type same, uint64_t from, uint64_t now)
{
	uint64_t reading = reading_ticks(), ticks = now - from > reading ? now - from - reading : 0;
	uint32_t entries = stands_for(thread, now);
	struct sis_node *node = sis__count_entry(thread, wait, same);
	if (!node || node == thread->pub.current)
		return node;
	sis__add_ticks(node, ticks);
	if (ticks < SHORT)
		node->total += ticks * (entries - 1);
	return node;
}

void sis__entered_sampled(struct sis_thread *thread, const void *lock, uint32_t wait,
			  enum sis_region_type same, uint64_t from, uint64_t now)
{
	if (sis__lock_is_own(thread, lock)) {
		sis__count_sampled(thread, wait, same, from, now);
		return;
	}
	stands_for(thread, now);
	book_wait(thread, lock, wait, same, from, now);
}

void sis__count_no_wait(struct sis_thread *thread, uint32_t wait)
{
	struct sis_node *node = sis__count_entry(thread, wait, CR_NONE);
	if (node)
		sis__add_ticks(node, 0);
}
