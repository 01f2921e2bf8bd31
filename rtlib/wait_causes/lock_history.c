/* SPDX-License-Identifier: BSD-3-Clause */
/* lock_history.c - the owners of a lock, one after the other. The thread that has just got it.
 *
 * A table by the lock's address keeps its last owners. A thread that has waited finds there who
 * owned the lock meanwhile, and since when:
 *
 *     slot 0  |===== owns =====|
 *     slot 1       |~~ waits ~~|=== owns ===|
 *     slot 2            |~~~~~~~ waits ~~~~~|== owns
 *
 * Slot 2 waited for slot 0 until slot 1 became the owner, and then for slot 1. Slot 0 was the owner
 * when slot 2 began to wait. (In an ordered loop slot 1 may have come later than slot 2: turn.wait)
 *
 * Only the owner of a lock writes to the lock's entries, so the lock itself orders them. Two locks
 * may share an entry of the table; an entry of another lock ends the search. Nothing is written
 * when a thread takes a lock again that it owned last.
 * LIMIT: if a lock had more than TURNS owners during one wait, the earlier ones are not known.
 */
#include "wait_causes/culprit.h"

enum { TURNS = 6, LOCKS = 512 };

struct turn {            /* relaxed atomics, all: two locks may have one place */
	/* the lock's address and, in the upper bits, the unit's slot; 0: none yet */
	uint64_t who;
	uint64_t since;      /* ticks: when it had its turn */
	uint64_t wait;       /* struct sis_turn */
	struct sis_node *node, *before;
	uint64_t flags;      /* of `before` */
};
static struct {
	uint32_t count;      /* the last turn is turn[count % TURNS] */
	struct turn turn[TURNS];
} __attribute__((aligned(64))) locks[LOCKS];

#define GET(field) __atomic_load_n(&(field), __ATOMIC_RELAXED)
#define SET(field, value) __atomic_store_n(&(field), (value), __ATOMIC_RELAXED)

enum { ADDRESS_BITS = 48 };

static uint64_t who_of(const void *lock, uint32_t slot)
{
	return ((uint64_t)(uintptr_t)lock & ((UINT64_C(1) << ADDRESS_BITS) - 1)) |
	       (uint64_t)slot << ADDRESS_BITS;
}
static bool is_of(uint64_t who, const void *lock)
{
	return who && (who ^ who_of(lock, 0)) << (64 - ADDRESS_BITS) == 0;
}
static uint32_t slot_of(uint64_t who) { return (uint32_t)(who >> ADDRESS_BITS); }
static size_t place_of(const void *lock)
{
	return ((uintptr_t)lock >> 2) * 0x9e3779b97f4a7c15u >> 55;
}
_Static_assert(LOCKS == 1 << (64 - 55), "place_of");

uint32_t sis__turn_holder(const void *lock)
{
	size_t place = place_of(lock);
	uint64_t who = GET(locks[place].turn[GET(locks[place].count) % TURNS].who);
	return is_of(who, lock) ? slot_of(who) : SIS_NO_SLOT;
}

struct wait {
	struct sis_thread *thread;
	struct sis_node *node;
	uint64_t from, to; /* of it, what has no culprit yet */
	const struct sis_snapshot *first;
};

/* The last part of what is left of the wait, since `since`, was for somebody. */
static void blame(struct wait *w, uint64_t since, uint32_t slot, struct sis_where where)
{
	since = since > w->from ? since : w->from;
	if (since >= w->to)
		return;
	if (slot != w->thread->pub.slot)
		sis__culprit(w->thread, w->node, slot, where, w->to - since);
	w->to = since;
}

/* What the turn explains; false: nothing before it is known. */
static bool take_turn(struct wait *w, const struct turn *turn, const void *lock)
{
	uint64_t who = GET(turn->who), since = GET(turn->since), began = GET(turn->wait);
	struct sis_where inside = { GET(turn->node), SIS_CULPRIT_INSIDE | SIS_CULPRIT_ESTIMATED };
	struct sis_where before = { GET(turn->before), (unsigned)GET(turn->flags) };
	if (!is_of(who, lock) || !inside.node)
		return false;
	if (w->first && since <= w->from)
		return false; /* what was seen is better */
	blame(w, since, slot_of(who), inside);
	if (began > w->from && began <= w->to && before.node) {
		struct wait late = *w;
		late.from = w->from;
		late.to = began;
		w->from = began; /* in between it waited as we did, for the turn before */
		blame(&late, late.from, slot_of(who), before);
	}
	return true;
}

static void find_culprits(struct wait *w, const void *lock)
{
	size_t place = place_of(lock);
	uint32_t last = GET(locks[place].count);
	for (uint32_t i = 0; i < TURNS && i <= last && w->to > w->from; i++)
		if (!take_turn(w, &locks[place].turn[(last - i) % TURNS], lock))
			break;
	if (w->first && w->to > w->from)
		blame(w, w->from, w->first->slot, sis__snapshot_compare(w->first, w->from, w->to));
}

void sis__turn_take(struct sis_thread *thread, struct sis_node *node, const void *lock,
		    uint64_t from, uint64_t now, const struct sis_snapshot *first,
		    const struct sis_turn *turn)
{
	size_t place = place_of(lock);
	uint64_t who = who_of(lock, thread->pub.slot);
	uint32_t last = GET(locks[place].count);
	struct wait wait = { thread, node, from, now, first };
	if (now > from && now - from >= sis__wait_short())
		find_culprits(&wait, lock);
	else if (!turn && GET(locks[place].turn[last % TURNS].who) == who)
		return;
	struct turn *next = &locks[place].turn[(last + 1) % TURNS];
	SET(next->who, who);
	SET(next->since, now);
	/* not the call that got it */
	SET(next->node, node == thread->pub.current ? node->parent : thread->pub.current);
	SET(next->wait, turn ? turn->wait : 0);
	SET(next->before, turn ? turn->before.node : NULL);
	SET(next->flags, turn ? turn->before.flags : 0);
	SET(locks[place].count, last + 1);
}
