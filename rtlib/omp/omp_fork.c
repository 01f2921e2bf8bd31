/* SPDX-License-Identifier: BSD-3-Clause */
/* omp_fork.c - libgomp's entries that run a parallel region: a trampoline that every thread of the
 * team runs instead of the region's function. The thread that forks calls the entries, all of the
 * team the trampoline.
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

/* A region forked where nothing is measured: neither are its threads. */
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

/* Replaces fn and data by what measures the region, unless nothing is measured in this process. */
static void fork_begin(struct sis_parallel *fork, void (**fn)(void *), void **data)
{
	*fork = (struct sis_parallel){ .master = NULL };
	if (sis__omp_told() || !sis__parallel_begin(fork))
		return;
	fork->fn = *fn;
	fork->data = *data;
	*data = fork;
	*fn = fork->master ? team_measured : team_muted;
	sis__stacks_widen();
	sis__order_before(fork);
}

#define SIS_OMP_FORK(name, shape) \
	void name SIS_P_##shape \
	{ \
		struct sis_parallel fork; \
		fork_begin(&fork, &fn, &data); \
		SIS_OMP_REALLY(name) SIS_A_##shape; \
		sis__parallel_end(&fork); \
	}
#define SIS_OMP_TIMED(result, name, shape, wait, same)
#define SIS_OMP_QUIET(name, shape, wait, same)
#define SIS_OMP_DOACROSS(name, shape)
#define SIS_OMP_BARRIER(name)
#define SIS_OMP_BARRIER_CANCEL(name)
#define SIS_OMP_OWN(result, name, shape)
#define SIS_OMP_REAL(result, name, shape)
#include "omp/omp_entry.def"

unsigned GOMP_parallel_reductions(void (*fn)(void *), void *data, unsigned threads, unsigned flags)
{
	struct sis_parallel fork;
	void *first = *(void **)data; /* what the team reduces: libgomp looks for it there */
	fork_begin(&fork, &fn, &data);
	fork.first = first;
	unsigned size = SIS_OMP_REALLY(GOMP_parallel_reductions)(fn, data, threads, flags);
	sis__parallel_end(&fork);
	return size;
}
