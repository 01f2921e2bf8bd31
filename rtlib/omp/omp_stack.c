/* SPDX-License-Identifier: BSD-3-Clause */
/* omp_stack.c - larger stacks for programs that have explicit tasks. The thread that forks the
 * program's first team, once.
 *
 * Its idea: if many tasks wait, libgomp executes a new one in the call that creates it, so tasks
 * that create tasks nest thousands of levels deep. The frames of omp_create.c make a level of 450
 * bytes one of 800, and a stack that the program nearly fills would overflow. So the stack gets
 * twice the room. That is address space only: a page has memory when it is first used.
 *
 * LIMIT: not if OMP_STACKSIZE sets the size of a worker's stack. Programs that this one starts
 * inherit the limit.
 */
#include "omp/omp_team.h"

#include <errno.h>
#include <pthread.h>
#include <sys/resource.h>

static bool has_tasks(void)
{
	for (uint32_t id = SIS_FIRST_UNIT_ID;
	     id / SIS_FACT_PAGE < SIS_FACT_PAGES && sis__fact_pages[id / SIS_FACT_PAGE]; id++)
		if (sis__region_fact(id)->type == CR_OMPTASK)
			return true;
	return false;
}

/* The stack of the initial thread grows up to the limit in force. */
static void widen_own(void)
{
	struct rlimit limit;
	if (prlimit(0, RLIMIT_STACK, NULL, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
		return;
	limit.rlim_cur = limit.rlim_cur < limit.rlim_max / 2 ? 2 * limit.rlim_cur : limit.rlim_max;
	prlimit(0, RLIMIT_STACK, &limit, NULL);
}

/* The stacks of new threads without a size of their own, such as libgomp's. */
static void widen_workers(void)
{
	pthread_attr_t usual;
	size_t bytes;
	if (pthread_getattr_default_np(&usual) != 0)
		return;
	if (pthread_attr_getstacksize(&usual, &bytes) == 0 &&
	    pthread_attr_setstacksize(&usual, 2 * bytes) == 0)
		pthread_setattr_default_np(&usual);
	pthread_attr_destroy(&usual);
}

void sis__stacks_widen(void)
{
	static bool asked;
	struct rlimit space;
	int before = errno;
	/* Relaxed: it only matters that a single thread finds it false. */
	if (__atomic_load_n(&asked, __ATOMIC_RELAXED) ||
	    __atomic_exchange_n(&asked, true, __ATOMIC_RELAXED) || !has_tasks())
		return;
	sis__task_cost_note();
	/* with a limit, the program may have little address space to spare */
	if (!sis__is_confined() && prlimit(0, RLIMIT_AS, NULL, &space) == 0 &&
	    space.rlim_cur == RLIM_INFINITY) {
		widen_own();
		widen_workers();
	}
	errno = before;
}
