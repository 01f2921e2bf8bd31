/* SPDX-License-Identifier: BSD-3-Clause */
/* lock_history.c - the successive owners of a lock. Called by the thread that has just got the
 * lock.
 *
 * A hash table, whose key is the lock's address, has the last owners. A thread that has waited
 * finds in it which slots owned the lock meanwhile, and since when:
 *
 *     slot 0  |===== owns =====|
 *     slot 1       |~~ waits ~~|=== owns ===|
 *     slot 2            |~~~~~~~ waits ~~~~~|== owns
 *
 * Slot 2 waited for slot 0 until slot 1 became the owner, and then for slot 1. In an ordered loop
 * slot 1 may have reached the construct later than slot 2; struct sis_ordered_wait is for this
 * case.
 *
 * Only the owner of a lock writes to the lock's entry, so the lock itself orders the writes. Two
 * locks may have the same entry in the table. The search for owners ends at an owner of another
 * lock. If a thread was the last owner and takes the lock again without a wait, nothing is written.
 * For locks that can be tested, owners are noted only while another thread waits (lock_holders.c).
 * LIMIT: if a lock had more than OWNERS owners during one wait, the earlier owners are not known.
 */
#include "base/seqlock.h"
#include "measure/wait_causes/culprit.h"

enum { OWNERS = SIS_LOCK_OWNERS };
#define ORDERED 1u /* in sis_lock_ownership.node */

struct sis_lock_history sis__lock_history[SIS_LOCKS];

/* For owners in an ordered construct, the data of struct sis_ordered_wait. */
static struct {
	uint64_t start, flags; /* `flags` and `before` together are sis_ordered_wait.before */
	struct sis_node *before;
} ordered_waits[SIS_LOCKS][OWNERS];

static bool is_of_lock(uint64_t owner, const void *lock)
{
	return owner && (owner ^ sis__lock_owned_by(lock, 0)) << (64 - SIS_ADDRESS_BITS) == 0;
}
static uint32_t slot_of(uint64_t owner) { return (uint32_t)(owner >> SIS_ADDRESS_BITS); }
_Static_assert(SIS_LOCKS == 1 << 9, "sis__lock_place");

uint32_t sis__lock_owner(const void *lock)
{
	uint64_t owner = SIS_GET(sis__lock_history[sis__lock_place(lock)].owner);
	return is_of_lock(owner, lock) ? slot_of(owner) : SIS_NO_SLOT;
}

uint64_t sis__lock_lost_at(const struct sis_thread *thread, const void *lock)
{
	const struct sis_lock_history *history = &sis__lock_history[sis__lock_place(lock)];
	uint64_t own = sis__lock_owned_by(lock, thread->pub.slot);
	uint64_t last = SIS_GET(history->count), since = 0;
	for (uint64_t i = 0; i < OWNERS && i <= last; i++) {
		const struct sis_lock_ownership *o = &history->ownership[(last - i) % OWNERS];
		uint64_t owner = SIS_GET(o->owner);
		if (owner == own || !is_of_lock(owner, lock))
			break;
		since = SIS_GET(o->since);
	}
	return since;
}

struct wait {
	struct sis_thread *thread;
	struct sis_node *node;
	uint64_t from, to; /* the part that has no culprit yet */
	const struct sis_snapshot *first;
};

/* Attributes the part of the wait from `since` on to the slot. The rest of the wait ends at
 * `since`. */
static void attribute_since(struct wait *w, uint64_t since, uint32_t slot, struct sis_where where)
{
	since = since > w->from ? since : w->from;
	if (since >= w->to)
		return;
	if (slot != w->thread->pub.slot)
		sis__culprit(w->thread, w->node, slot, where, w->to - since);
	w->to = since;
}

/* Attributes a part of the wait to one owner. False: the search ends, because no earlier owner is
 * known. */
static bool attribute_to_owner(struct wait *w, uint64_t entry, uint64_t at, const void *lock)
{
	const struct sis_lock_ownership *o = &sis__lock_history[entry].ownership[at];
	uint64_t owner = SIS_GET(o->owner), since = SIS_GET(o->since);
	uintptr_t node = SIS_GET(o->node);
	struct sis_node *taken_in = (struct sis_node *)(node & ~(uintptr_t)ORDERED);
	if (!is_of_lock(owner, lock) || !taken_in)
		return false;
	if (w->first && since <= w->from)
		return false; /* the snapshot says more about this owner */
	attribute_since(w, since, slot_of(owner),
			sis__region_between(slot_of(owner), taken_in, since, w->to));
	if (!(node & ORDERED))
		return true;
	/* If the owner began to wait later than this thread, it was late until then. This part of
	 * the wait is attributed to the node in which the owner was before it waited. */
	uint64_t start = SIS_GET(ordered_waits[entry][at].start);
	struct sis_where before = { SIS_GET(ordered_waits[entry][at].before),
				    (unsigned)SIS_GET(ordered_waits[entry][at].flags) };
	struct wait late = *w;
	if (start <= w->from || start > w->to || !before.node)
		return true;
	late.to = start;
	w->from = start; /* then both waited for the earlier owner */
	attribute_since(&late, late.from, slot_of(owner), before);
	return true;
}

static void find_culprits(struct wait *w, const void *lock)
{
	uint64_t entry = sis__lock_place(lock), last = SIS_GET(sis__lock_history[entry].count);
	for (uint64_t i = 0; i < OWNERS && i <= last && w->to > w->from; i++)
		if (!attribute_to_owner(w, entry, (last - i) % OWNERS, lock))
			break;
	if (w->first && w->to > w->from)
		attribute_since(w, w->from, w->first->slot,
				sis__snapshot_compare(w->first, w->from, w->to));
}

static bool is_long(uint64_t from, uint64_t now)
{
	return now > from && now - from >= sis__wait_short();
}

static void note(struct sis_thread *thread, struct sis_node *node, const void *lock, uint64_t now,
		 const struct sis_ordered_wait *ordered)
{
	uint64_t entry = sis__lock_place(lock);
	uint64_t owner = sis__lock_owned_by(lock, thread->pub.slot);
	struct sis_lock_history *history = &sis__lock_history[entry];
	uint64_t count = SIS_GET(history->count) + 1, at = count % OWNERS;
	/* the node around the call that got the lock */
	uintptr_t where = (uintptr_t)(node == thread->pub.current ? node->parent :
								    thread->pub.current);
	if (SIS_UNLIKELY(ordered != NULL)) {
		SIS_SET(ordered_waits[entry][at].start, ordered->start);
		SIS_SET(ordered_waits[entry][at].before, ordered->before.node);
		SIS_SET(ordered_waits[entry][at].flags, ordered->before.flags);
	}
	SIS_SET(history->ownership[at].owner, owner);
	SIS_SET(history->ownership[at].since, now);
	SIS_SET(history->ownership[at].node, where | (ordered ? ORDERED : 0));
	SIS_SET(history->count, count);
	SIS_SET(history->owner, owner);
}

void sis__lock_acquired(struct sis_thread *thread, struct sis_node *node, const void *lock,
			uint64_t from, uint64_t now, const struct sis_snapshot *first,
			const struct sis_ordered_wait *ordered)
{
	uint64_t owner = sis__lock_owned_by(lock, thread->pub.slot);
	struct wait wait = { thread, node, from, now, first };
	if (is_long(from, now))
		find_culprits(&wait, lock);
	else if (!ordered && SIS_GET(sis__lock_history[sis__lock_place(lock)].owner) == owner)
		return;
	note(thread, node, lock, now, ordered);
}

void sis__lock_waited(struct sis_thread *thread, struct sis_node *node, const void *lock,
		      uint64_t from, uint64_t now, const struct sis_snapshot *first)
{
	struct wait wait = { thread, node, from, now, first };
	if (is_long(from, now))
		find_culprits(&wait, lock);
	if (sis__lock_is_awaited(lock))
		note(thread, node, lock, now, NULL);
}

void sis__lock_taken(struct sis_thread *thread, struct sis_node *node, const void *lock,
		     uint64_t now)
{
	note(thread, node, lock, now, NULL);
}
