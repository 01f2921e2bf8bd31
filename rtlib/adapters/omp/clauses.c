/* SPDX-License-Identifier: BSD-3-Clause */
/* clauses.c - see clauses.h. The compiler puts this work into the function that it makes of a
 * construct, so there is no call for most of the work. These are the calls before and after the
 * work:
 *
 *     the construct begins, or a thread enters its team     SIS_CLAUSES; omp_team.c
 *     | private copies, initial values                      RT_PRIVATE
 *     the body begins, or asks for iterations               SIS_PRIVATES_MADE, SIS_BOUND_BEGIN;
 *     | the body                                            RT_SCHED, single, barriers
 *     GOMP_atomic_start, __kmpc_reduce returns              critical_ordered.c, kmp_entry.c
 *     | combination                                         RT_REDUCE
 *     GOMP_atomic_end, __kmpc_end_reduce,                   the same; omp_team.c
 *     or the end of the construct
 *
 * sisc inserts SIS_CLAUSES only if the construct has such a clause, and the other marks only where
 * they are needed. The clauses are noted in the facts of the region, where all threads of a team
 * find them.
 *
 * LIMIT: copies at the end of a construct (lastprivate, copyprivate), and the initial values that
 * tasks give to their parts of a reduction, count as work of the code around them.
 */
#include "measure/core/leave.h"
#include "adapters/omp/clauses.h"
#include "adapters/omp/omp_team.h"
#include "adapters/omp/uncontended.h"

#include <errno.h>

enum { TIMED = SIS_CLAUSE_PRIVATE | SIS_CLAUSE_REDUCE };

static void count(struct sis_thread *thread, uint32_t id, uint64_t now)
{
	if (!thread->trace) {
		sis__count_no_wait(thread, id);
		return;
	}
	now = now ? now : sis__ticks();
	sis__book_span(thread, thread->pub.current, id, now, now);
}

void sis__clauses_enter(struct sis_thread *thread, unsigned what, uint64_t now)
{
	if (what & SIS_CLAUSE_COUNT_PRIVATE)
		count(thread, RT_PRIVATE, now);
	if (what & SIS_CLAUSE_COUNT_REDUCE)
		count(thread, RT_REDUCE, now);
	if (what & SIS_CLAUSE_PRIVATE)
		sis__begin(thread, RT_PRIVATE, now);
}

void sis__clauses_leave(struct sis_thread *thread, uint64_t now)
{
	uint32_t open = sis_node_region(thread->pub.current);
	if (open == RT_PRIVATE || open == RT_REDUCE)
		sis__end(thread, thread->pub.current, now);
}

/* -- what the source calls --------------------------------------------------------------------- */

static bool libomp_tells(void)
{
#ifdef SIS_STATIC
	return false;
#else
	return sis__ompt_is_on();
#endif
}

SIS_EXPORT int sis__clauses_begin(struct sis_region *region, unsigned what)
{
	struct sis_thread *thread = sis__thread();
	uint32_t id = sis__region_id(region);
	if (!thread || sis_node_region(thread->pub.current) != id)
		return 0;
	struct sis_region_fact *fact = (struct sis_region_fact *)sis__region_fact(id);
	bool forks = fact->type == CR_OMPPA || fact->type == CR_OMPPAFOR ||
		     fact->type == CR_OMPPASEC;
	/* Relaxed is enough (sis__clauses_of): all threads store the same. */
	__atomic_store_n(&fact->clauses, (uint8_t)what, __ATOMIC_RELAXED);
	if (!forks) {
		int saved = errno;
		bool told = !(what & SIS_CLAUSE_LIBOMP) || libomp_tells();
		sis__clauses_enter(thread, told ? what : what & ~SIS_CLAUSE_PRIVATE, 0);
		errno = saved;
	}
	return (what & TIMED) != 0;
}

SIS_EXPORT void sis__clauses_end(void)
{
	struct sis_thread *thread = sis__local.off ? NULL : sis__thread();
	if (thread)
		sis__clauses_leave(thread, sis__ticks());
}

SIS_EXPORT void sis__privates_end(void)
{
	struct sis_thread *thread = sis__local.off ? NULL : sis__thread();
	if (thread)
		sis__privates_over(thread);
}

/* -- the combination --------------------------------------------------------------------------- */

void sis__combine_begin(void)
{
	struct sis_thread *thread = sis__local.off ? NULL : sis__thread();
	if (!thread ||
	    !(sis__clauses_of(sis_node_region(thread->pub.current)) & SIS_CLAUSE_REDUCE))
		return;
	int saved = errno;
	sis__begin(thread, RT_REDUCE, 0);
	errno = saved;
}

void sis__combine_end(void)
{
	struct sis_thread *thread = sis__local.off ? NULL : sis__thread();
	if (thread && sis_node_region(thread->pub.current) == RT_REDUCE)
		sis__end(thread, thread->pub.current, sis__ticks());
}
