/* culprit.h - for whom threads of a process wait: what libgomp's entry points (omp/), OMPT and
 * pthreads (pthread/) tell of it alike.
 *
 *   culprit.c  the sums: (where one waited, who it was for, where that one was) -> how long
 *   recent_region.c   where a thread has spent its time since a moment
 *   lock_history.c    who had a lock, and who has it
 *
 * All of it is done where a wait was long (sis__wait_short) or is about to be one: a lock that
 * nobody else has, a task that nobody waits for, cost no more than a note of who was there.
 * Nothing here locks or allocates but for the first wait of a kind in a thread, and everything may
 * be called with measurement on only (`thread` is that of the caller, not NULL).
 */
#ifndef SIS_CULPRIT_H
#define SIS_CULPRIT_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

/* Ticks below which a wait is not worth a look at whom it was for: 20 us, what waking up may take.
 */
uint64_t sis__wait_short(void);

/* Where somebody was: `node` or, if inside, below it. */
struct sis_where {
	struct sis_node *node;
	unsigned flags; /* enum sis_culprit_flag */
};

/* Of the time waited in `node` of the thread, `ticks` were for unit `slot`, which was there. */
void sis__culprit(struct sis_thread *thread, struct sis_node *node, uint32_t slot, struct sis_where where, uint64_t ticks);
void sis__culprits_restart(struct sis_thread *thread); /* in a forked child: there are none yet */

/* -- Where a thread was (recent_region.c) ------------------------------------------------------ */
/* Most of the caller's time since `since`, as its tree tells: not estimated if it was there nine
 * tenths of it. */
struct sis_where sis__lately(const struct sis_thread *thread, uint64_t since, uint64_t now);

/* Another thread at a moment, looked at from outside. */
struct sis_glance {
	uint32_t slot; /* SIS_NO_SLOT: nobody */
	struct sis_node *node;
	uint64_t calls, total, start;
};
struct sis_glance sis__glance(uint32_t slot);
/* The same one at the end of a wait that had begun with the glance: was it there all the time? */
struct sis_where sis__glance_again(const struct sis_glance *first, uint64_t from, uint64_t now);

/* -- Turns (lock_history.c): `lock` names what one after the other may have, by its address ---- */
struct sis_turn {
	uint64_t wait;            /* ticks: when its wait for the turn began; 0: it counts as waiting for ever */
	struct sis_where before;  /* where it was when that began: it came late itself */
};
/* Who has the lock, or had it last; its slot, SIS_NO_SLOT: nobody known. */
uint32_t sis__turn_holder(const void *lock);
/* The thread has its turn now, after a wait in `node` since `from`: for whom that was; and it is
 * the next one's. `first` is a glance at the one who had it when the wait began, NULL: there was
 * none. `turn` is NULL for locks. */
void sis__turn_take(struct sis_thread *thread, struct sis_node *node, const void *lock, uint64_t from, uint64_t now,
		    const struct sis_glance *first, const struct sis_turn *turn);

/* -- Meetings (rendezvous.c): `object` is what some wait for and others come to - a condition, a barrier, a thread's end ------ */
void sis__meet_tell_slow(const void *object, uint64_t place);
struct sis_meet_waiting { uint64_t waiting; } __attribute__((aligned(64)));
#define SIS_MEETS 512u
extern struct sis_meet_waiting sis__meet_waiting[SIS_MEETS];
static inline uint64_t sis__meet_place(const void *object)
{
	return ((uintptr_t)object >> 3) * 0x9e3779b97f4a7c15u >> 55;
}
/* The caller comes there. Nothing but a look while nobody waits. */
static inline void sis__meet_tell(const void *object)
{
	uint64_t place = sis__meet_place(object);
	if (SIS_UNLIKELY(__atomic_load_n(&sis__meet_waiting[place].waiting, __ATOMIC_RELAXED) != 0))
		sis__meet_tell_slow(object, place);
}
/* Around a wait in `node` of the thread; `came`: it was not in vain. */
void sis__meet_begin(const struct sis_node *node, const void *object);
void sis__meet_end(struct sis_thread *thread, struct sis_node *node, const void *object, bool came);

#pragma GCC visibility pop
#endif
