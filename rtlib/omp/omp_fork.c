/* SPDX-License-Identifier: BSD-3-Clause */
/* omp_fork.c - libgomp's functions that run a parallel region. The thread that forks calls them.
 * Every thread of the team then calls a function of this file in place of the region's.
 *
 * LIMIT: binaries of GCC before 4.9 call GOMP_parallel_start and _end: their workers are measured
 * as threads of their own, without fork, join and origin.
 */
#include "omp/tsan_annotations.h"
#include "omp/omp_team.h"

static void run_muted(struct sis_parallel *fork)
{
	sis_measure(0);
	fork->fn(fork->data);
	sis_measure(1);
}

/* The threads of a region are not measured if the forking thread is not. */
static void team_muted(void *data)
{
	struct sis_parallel *fork = data;
	sis__order_after(fork);
	if (SIS_OMP_REALLY(omp_get_thread_num)())
		run_muted(fork);
	else
		fork->fn(fork->data);
	sis__order_before(fork);
}

static void run_measured(struct sis_parallel *fork)
{
	unsigned number = (unsigned)SIS_OMP_REALLY(omp_get_thread_num)();
	struct sis_team *me = sis__member(fork, number,
					  (unsigned)SIS_OMP_REALLY(omp_get_num_threads)());
	if (!me || !me->thread) {
		run_muted(fork);
		return;
	}
	struct sis_thread *before = sis__member_begin(me);
	fork->fn(fork->data);
	sis__member_end(me, before);
}

static void team_measured(void *data)
{
	sis__order_after(data);
	run_measured(data);
	sis__order_before(data);
}

/* -- the forking thread ------------------------------------------------------------------------ */

/* Replaces fn and data so that the region is measured, unless nothing is measured in this
 * process. */
static void fork_begin(struct sis_parallel *fork, void (**fn)(void *), void **data)
{
	*fork = (struct sis_parallel){ .master = NULL };
	if (sis__omp_has_callbacks() || !sis__parallel_begin(fork))
		return;
	fork->fn = *fn;
	fork->data = *data;
	*data = fork;
	*fn = fork->master ? team_measured : team_muted;
	sis__stacks_widen();
	sis__order_before(fork);
}

#define SIS_OMP_FORK(name, signature) \
	void name SIS_P_##signature \
	{ \
		struct sis_parallel fork; \
		fork_begin(&fork, &fn, &data); \
		SIS_OMP_REALLY(name) SIS_A_##signature; \
		sis__parallel_end(&fork); \
	}
#define SIS_OMP_TIMED(result, name, signature, wait, same)
#define SIS_OMP_QUIET(name, signature, wait, same)
#define SIS_OMP_DOACROSS(name, signature)
#define SIS_OMP_BARRIER(name)
#define SIS_OMP_BARRIER_CANCEL(name)
#define SIS_OMP_OWN(result, name, signature)
#define SIS_OMP_REAL(result, name, signature)
#include "omp/omp_entry.def"

unsigned GOMP_parallel_reductions(void (*fn)(void *), void *data, unsigned threads, unsigned flags)
{
	struct sis_parallel fork;
	void *first = *(void **)data; /* the reductions: libgomp looks for them there */
	fork_begin(&fork, &fn, &data);
	fork.first = first;
	unsigned size = SIS_OMP_REALLY(GOMP_parallel_reductions)(fn, data, threads, flags);
	sis__parallel_end(&fork);
	return size;
}
