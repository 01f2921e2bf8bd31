/* SPDX-License-Identifier: BSD-3-Clause */
/* ompt_team.c - libomp's teams: callbacks when a thread begins and ends its part of a parallel
 * region. Called by all threads of the team.
 *
 * The idea: a worker that arrives at the end of the region releases its slot there. Later callbacks
 * for this worker are ignored, because libomp reports the end of a worker's part only when it needs
 * the worker again. When the forking thread has passed the barrier at the end of the region, it
 * closes the nodes in all slots (omp_team.c). libomp's own threads (hidden helpers) belong to a
 * region that libomp forks. The hidden helpers stay muted. They execute target constructs with
 * nowait (adapters/device/device_tasks.c).
 * LIMIT: if such a construct falls back to the host, the helpers' work is not measured.
 */
#include "adapters/device/device_tasks.h"
#include "adapters/omp/tsan_annotations.h"
#include "measure/core/thread.h"
#include "adapters/ompt/ompt.h"

static __thread struct {
	/* the region that the thread works in, or worked in last. In the second case the pointer is
	 * only compared */
	struct sis_parallel *fork;
	struct sis_thread *before;
	unsigned number;
	bool muted, helps;
} worker;

/* The regions that this thread has forked and not joined. The word that libomp keeps with a region
 * cannot be used to find the region at its join. By then another thread may have forked a region
 * with the same team of libomp, so that the word belongs to this other region. For a league of one
 * team the word belongs to an earlier region (LLVM 19). */
static __thread struct {
	struct sis_parallel *innermost;
	uint32_t unmeasured; /* number of unmeasured regions inside of `innermost` */
} forks;

unsigned sis__ompt_number(void) { return worker.number; }
bool sis__ompt_is_helper(void) { return worker.helps; }

void sis__ompt_parallel_begin(union sis_ompt_data *task, const void *frame,
			      union sis_ompt_data *parallel, unsigned threads, int flags,
			      const void *at)
{
	(void)frame, (void)threads, (void)flags;
	struct sis_parallel *fork = forks.unmeasured ? NULL : sis__block_take();
	bool hidden = !forks.innermost && sis__ompt_is_libomps(at);
	if (hidden) /* the forking thread is muted, too */
		sis__measure_for(0, 0);
	if (fork && !sis__parallel_begin(fork, NULL)) {
		sis__block_give(fork);
		fork = NULL;
	}
	parallel->ptr = fork;
	if (!fork) {
		forks.unmeasured++;
		return;
	}
	fork->reports_masked = true;
	fork->hidden = hidden;
	fork->alone = sis__ompt_is_league(task);
	fork->around = forks.innermost;
	fork->called_for = sis__ompt_call_is(0); /* a task may fork in a barrier */
	forks.innermost = fork;
	sis__order_before(fork);
}

static void give_numbers(void)
{
	struct sis_thread *thread = sis__thread();
	if (thread)
		sis__device_tasks_give(thread, thread->pub.current);
}

void sis__ompt_parallel_end(union sis_ompt_data *parallel, union sis_ompt_data *task, int flags,
			    const void *at)
{
	(void)parallel, (void)task, (void)flags, (void)at;
	struct sis_parallel *fork = forks.innermost;
	if (forks.unmeasured) {
		forks.unmeasured--;
	} else if (fork) {
		forks.innermost = fork->around;
		sis__ompt_call_is(fork->called_for);
		sis__parallel_end(fork);
		sis__block_give(fork);
		give_numbers();
	}
}

/* -- a member ---------------------------------------------------------------------------------- */

static void begin(struct sis_parallel *fork, unsigned size, unsigned number)
{
	bool works = number != 0;
	if (works) {
		worker.fork = fork;
		worker.number = number;
		worker.muted = false;
		worker.helps = fork->hidden;
	}
	sis__order_after(fork);
	struct sis_team *me = fork->master ? sis__member(fork, number, size) : NULL;
	if (me && me->thread) {
		struct sis_thread *before = sis__member_begin(me);
		if (works)
			worker.before = before;
	} else if (works) {
		worker.muted = true; /* the region is not measured, or there is no slot */
		sis__measure_for(0, 0);
	}
}

/* The end of this thread's part of the region. */
void sis__ompt_arrive(struct sis_parallel *fork)
{
	bool works = worker.fork == fork;
	if (!fork || fork->hidden || (!works && fork->master != sis__local.own))
		return;
	if (works && worker.muted) {
		worker.muted = false;
		sis__measure_for(0, 1);
		return;
	}
	struct sis_team *me = sis__team();
	if (me && me->fork == fork && !me->arrival)
		sis__member_end(me, works ? worker.before : NULL);
	sis__order_before(fork);
}

void sis__ompt_implicit_task(int endpoint, union sis_ompt_data *parallel, union sis_ompt_data *task,
			     unsigned size, unsigned number, int flags)
{
	bool works = size > 1 && number;
	struct sis_parallel *fork = forks.unmeasured ? NULL : forks.innermost;
	if (works)
		fork = parallel ? parallel->ptr : NULL;
	if (endpoint == OMPT_END) { /* the end of a team of one, which has no barrier */
		sis__ompt_arrive(sis__ompt_implicit_of(task));
		task->ptr = NULL;
	} else if (fork) {
		begin(fork, fork->alone || !size ? 1 : size, works ? number : 0);
		*task = sis__ompt_implicit(works ? NULL : fork, flags & OMPT_TASK_INITIAL);
	}
}
