/* SPDX-License-Identifier: BSD-3-Clause */
/* omp_fork.c - libgomp's functions that run a parallel region. The thread that forks calls them.
 * Every thread of the team then calls a function of this file in place of the region's function.
 *
 * LIMIT: binaries of GCC before 4.9 call GOMP_parallel_start and GOMP_parallel_end. Their workers
 * are measured as separate threads, without fork, join and origin.
 */
#include "measure/core/thread.h"
#include "adapters/omp/tsan_annotations.h"
#include "adapters/omp/omp_team.h"

static void run_muted(void (*fn)(void *), void *data)
{
	sis__measure_for(0, 0);
	fn(data);
	sis__measure_for(0, 1);
}

static void team_measured(void *data)
{
	struct sis_parallel *fork = data;
	sis__order_after(fork);
	unsigned size = (unsigned)SIS_OMP_REALLY(omp_get_num_threads)();
	unsigned number = size == 1 ? 0 : (unsigned)SIS_OMP_REALLY(omp_get_thread_num)();
	struct sis_team *me = size == 1 ? sis__member_alone(fork) : sis__member(fork, number, size);
	if (me && me->thread) {
		struct sis_thread *before = sis__member_begin(me);
		fork->fn(fork->data);
		sis__member_end(me, before);
	} else {
		run_muted(fork->fn, fork->data);
	}
	sis__order_before(fork);
}

/* -- if the forking thread is muted, so are the threads of the region --------------------- */

struct muted_fork { /* in the forking thread's frame */
	void *first; /* as in struct sis_parallel */
	void (*fn)(void *);
	void *data;
	struct sis_local *by; /* sis__local of the forking thread */
};

static void team_muted(void *data)
{
	struct muted_fork *fork = data;
	sis__order_after(fork);
	if (fork->by == &sis__local)
		fork->fn(fork->data);
	else
		run_muted(fork->fn, fork->data);
	sis__order_before(fork);
}

/* -- the forking thread ------------------------------------------------------------------------ */

enum how { FORWARD, MEASURED, MUTED };

/* Replaces fn and data by those of a measured or muted team, unless nothing is measured in this
 * process. */
static enum how fork_begin(struct sis_parallel *fork, void (**fn)(void *), void **data)
{
	if (sis__omp_has_callbacks() || !sis__parallel_begin(fork, *fn))
		return FORWARD;
	if (!fork->master)
		return MUTED;
	fork->fn = *fn;
	fork->data = *data;
	*data = fork;
	*fn = team_measured;
	sis__stacks_widen();
	sis__order_before(fork);
	return MEASURED;
}

static inline bool is_stopped(void)
{
	return sis__local.off && (sis__local.muted | sis__local.skipped | sis__local.inside);
}

#define SIS_OMP_FORK(name, signature) \
	static __attribute__((noinline)) void name##_muted SIS_P_##signature \
	{ \
		struct muted_fork fork = { NULL, fn, data, &sis__local }; \
		fn = team_muted; \
		data = &fork; \
		sis__order_before(&fork); \
		SIS_OMP_REALLY(name) SIS_A_##signature; \
		sis__order_after(&fork); \
	} \
	static __attribute__((noinline)) void name##_measured SIS_P_##signature \
	{ \
		struct sis_parallel fork; \
		enum how how = fork_begin(&fork, &fn, &data); \
		if (how == MUTED) { \
			name##_muted SIS_A_##signature; \
			return; \
		} \
		SIS_OMP_REALLY(name) SIS_A_##signature; \
		if (how == MEASURED) \
			sis__parallel_end(&fork); \
	} \
	void name SIS_P_##signature \
	{ \
		if (SIS_LIKELY(!sis__local.off)) \
			name##_measured SIS_A_##signature; \
		else if (is_stopped()) \
			name##_muted SIS_A_##signature; \
		else \
			SIS_OMP_REALLY(name) SIS_A_##signature; \
	}
#define SIS_OMP_TIMED(result, name, signature, wait, same)
#define SIS_OMP_DOACROSS(name, signature)
#define SIS_OMP_BARRIER(name)
#define SIS_OMP_BARRIER_CANCEL(name)
#define SIS_OMP_OWN(result, name, signature)
#define SIS_OMP_REAL(result, name, signature)
#include "adapters/omp/omp_entry.def"

/* libgomp finds the reductions by the first word of the data, which is copied here. */
unsigned GOMP_parallel_reductions(void (*fn)(void *), void *data, unsigned threads, unsigned flags)
{
	struct sis_parallel fork;
	struct muted_fork muted = { *(void **)data, fn, data, &sis__local };
	enum how how = fork_begin(&fork, &fn, &data);
	if (how == MUTED) {
		sis__order_before(&muted);
		return SIS_OMP_REALLY(GOMP_parallel_reductions)(team_muted, &muted, threads, flags);
	}
	if (how == MEASURED)
		fork.first = muted.first;
	unsigned size = SIS_OMP_REALLY(GOMP_parallel_reductions)(fn, data, threads, flags);
	if (how == MEASURED) {
		sis__parallel_end(&fork);
		sis__combine_begin(); /* this thread alone combines the parts of all threads */
	}
	return size;
}
