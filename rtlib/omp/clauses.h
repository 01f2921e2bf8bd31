/* SPDX-License-Identifier: BSD-3-Clause */
/* clauses.h - what clauses of OpenMP make each thread of a team do: private copies of data, and the
 * combination of the parts of a reduction (clauses.c). The thread that does it calls this.
 */
#ifndef SIS_OMP_CLAUSES_H
#define SIS_OMP_CLAUSES_H

#include "core/drg.h"

#pragma GCC visibility push(hidden)

/* enum sis_clause of the region. Relaxed: it is stored before the construct, whose fork, or the
 * thread itself, orders it. */
static inline unsigned sis__clauses_of(uint32_t region)
{
	return __atomic_load_n(&sis__region_fact(region)->clauses, __ATOMIC_RELAXED);
}

/* Begins what the clauses of the construct make the thread do first. Its node is the current one.
 * now: ticks; 0: the clock is read if it is needed. */
void sis__clauses_enter(struct sis_thread *thread, unsigned what, uint64_t now);
/* Ends what is open of it: the construct ends. */
void sis__clauses_leave(struct sis_thread *thread, uint64_t now);

/* The private copies are made. */
static inline void sis__privates_over(struct sis_thread *thread)
{
	struct sis_node *node = thread->pub.current;
	if (SIS_UNLIKELY(sis_node_region(node) == RT_PRIVATE))
		sis__end(thread, node, sis__ticks());
}

/* Around the combination of this thread's part, if `end` is certain to come: before the construct
 * ends. Nothing happens if the current node is not that of a construct with a reduction that is
 * timed. */
void sis__combine_begin(void);
void sis__combine_end(void);

#pragma GCC visibility pop
#endif
