/* SPDX-License-Identifier: BSD-3-Clause */
/* omp_stack.c - larger stacks for programs that have explicit tasks. Called once, by the thread
 * that forks the program's first team.
 *
 * The idea: if many tasks have not begun yet, libgomp executes a new task in the call that creates
 * it. So tasks that create tasks nest thousands of levels deep. With the frames of omp_create.c a
 * level takes 800 bytes instead of 450, and a stack that the program nearly fills would overflow.
 * So the stack gets twice the room. This costs address space only: a page gets memory when it is
 * first used.
 *
 * LIMIT: if OMP_STACKSIZE sets the size of a worker's stack, the size is not changed. Programs that
 * this program starts inherit the raised limit.
 */
#include "adapters/omp/omp_team.h"

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

/* Raises the limit up to which the stack of the initial thread grows. */
static void widen_own(void)
{
	struct rlimit limit;
	if (prlimit(0, RLIMIT_STACK, NULL, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
		return;
	limit.rlim_cur = limit.rlim_cur < limit.rlim_max / 2 ? 2 * limit.rlim_cur : limit.rlim_max;
	prlimit(0, RLIMIT_STACK, &limit, NULL);
}

/* Doubles the stacks of new threads that ask for no size, such as libgomp's. */
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
	/* Relaxed is enough: only one thread may find `asked` false. */
	if (__atomic_load_n(&asked, __ATOMIC_RELAXED) ||
	    __atomic_exchange_n(&asked, true, __ATOMIC_RELAXED) || !has_tasks())
		return;
	sis__task_cost_note();
	/* if the address space is limited, the program may have none to spare */
	if (!sis__is_confined() && prlimit(0, RLIMIT_AS, NULL, &space) == 0 &&
	    space.rlim_cur == RLIM_INFINITY) {
		widen_own();
		widen_workers();
	}
	errno = before;
}
