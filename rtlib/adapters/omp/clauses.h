/* SPDX-License-Identifier: BSD-3-Clause */
/* clauses.h - work that clauses of OpenMP make each thread of a team do: private copies of data,
 * and the combination of the parts of a reduction (clauses.c). Called by the thread that does this
 * work.
 */
#ifndef SIS_OMP_CLAUSES_H
#define SIS_OMP_CLAUSES_H

#include "measure/core/drg.h"

#pragma GCC visibility push(hidden)

/* enum sis_clause of the region. Relaxed is enough: the value is stored before the construct
 * begins, by the thread itself or before the fork. */
static inline unsigned sis__clauses_of(uint32_t region)
{
	return __atomic_load_n(&sis__region_fact(region)->clauses, __ATOMIC_RELAXED);
}

/* Begins the node of the work that the construct's clauses require before the body. The construct's
 * node is the current one. now: ticks; 0: the clock is read if it is needed. */
void sis__clauses_enter(struct sis_thread *thread, unsigned what, uint64_t now);
/* Called at the end of the construct: ends the nodes of its clauses that are still open. */
void sis__clauses_leave(struct sis_thread *thread, uint64_t now);

/* The private copies are complete: ends their node. */
static inline void sis__privates_over(struct sis_thread *thread)
{
	struct sis_node *node = thread->pub.current;
	if (SIS_UNLIKELY(sis_node_region(node) == RT_PRIVATE))
		sis__end(thread, node, sis__ticks());
}

/* Called around the combination of this thread's part. Each begin must be followed by an end before
 * the construct ends. They do something only if the current node is that of a construct with a
 * timed reduction. */
void sis__combine_begin(void);
void sis__combine_end(void);

#pragma GCC visibility pop
#endif
