/* SPDX-License-Identifier: BSD-3-Clause */
/* ompt_wait.c - libomp's waits: barriers, critical, ordered, atomic, locks, taskwait and the end of
 * a taskgroup; and the constructs that one thread executes alone. Called by the thread that waits
 * or works.
 *
 * The idea: only tasks are executed during a wait, and they end before the wait ends. So at the end
 * of a wait the current node is the node that was begun for the wait, and need not be remembered.
 */
#include "adapters/device/device_tasks.h"
#include "adapters/ompt/ompt.h"
#include "adapters/omp/uncontended.h"

void sis__ompt_wait_end(uint32_t id)
{
	struct sis_thread *thread = sis__thread();
	if (thread && sis__builtin_of(thread->pub.current) == id)
		sis__end(thread, thread->pub.current, sis__ticks());
}

/* The calling thread, if its current node is that of the wait, or that of the construct in the
 * source; else NULL. */
static struct sis_thread *waiter(uint32_t id, enum sis_region_type same)
{
	struct sis_thread *thread = sis__thread();
	bool there = thread && (sis__builtin_of(thread->pub.current) == id ||
				(same != CR_NONE && sis__current_type(thread) == same));
	return there ? thread : NULL;
}

/* -- barriers ---------------------------------------------------------------------------------- */

static uint32_t barrier_id(int kind)
{
	struct sis_thread *thread = sis__thread();
	if (sis__ompt_call() == RT_COPYPRIV)
		return RT_COPYPRIV;
	if (kind == OMPT_BARRIER_EXPLICIT || (thread && sis__current_type(thread) == CR_OMPBARRIER))
		return RT_EBAR;
	return RT_IBAR;
}

/* Whether this thread is measured and does not trace, so that entries that do not wait need not be
 * timed. */
static bool may_count(void)
{
	return (struct sis_thread *)sis__self != &sis__empty;
}

static void barrier(int kind, int endpoint)
{
	struct sis_team *me = sis__team();
	if (!me)
		return; /* outside of teams there is no other thread to wait for */
	if (endpoint == OMPT_BEGIN && me->fork->size == 1 && !me->made_tasks && may_count()) {
		sis__count_no_wait(sis__thread(), barrier_id(kind));
	} else if (endpoint == OMPT_BEGIN) {
		me->at_barrier = sis__barrier_begin(barrier_id(kind));
	} else if (me->at_barrier.me) {
		sis__barrier_end(&me->at_barrier, true);
		me->at_barrier.me = NULL;
	}
}

void sis__ompt_sync_region(int kind, int endpoint, union sis_ompt_data *parallel,
			   union sis_ompt_data *task, const void *at)
{
	(void)task, (void)at;
	if (kind == OMPT_BARRIER_IMPLICIT && !sis__ompt_call())
		/* LLVM 14 has one kind for both barriers, but at the end of a parallel region the
		 * program is in no call of libomp */
		kind = OMPT_BARRIER_PARALLEL;
	switch (kind) {
	case OMPT_BARRIER_PARALLEL:
	case OMPT_BARRIER_TEAMS:
		if (endpoint == OMPT_BEGIN && parallel)
			sis__ompt_arrive(parallel->ptr);
		break;
	case OMPT_TASKGROUP: /* the begin is that of the group, and not that of the wait */
		if (endpoint == OMPT_END)
			sis__combine_end();
		break;
	case OMPT_TASKWAIT:
	case OMPT_REDUCTION:
		break;
	default:
		barrier(kind, endpoint);
	}
}

/* -- tasks ------------------------------------------------------------------------------------- */

/* Books the part of a wait that was for a device. Returns the begin of this part; 0: there was
 * none. */
static uint64_t waited_for_device(struct sis_thread *thread, uint64_t since, bool own)
{
	struct sis_node *node = thread->pub.current, *booked = NULL;
	uint64_t now = sis__ticks();
	struct sis_device_wait wait =
		sis__device_wait_since(sis__tasks_awaited(since, now, own), now);
	if (sis__device_waited(wait))
		booked = sis__book_span(thread, node, RT_DEVWAIT, wait.from, wait.until);
	sis__device_tasks_give(thread, booked ? booked : node);
	return booked ? wait.from : 0;
}

static void tasks_wait_begin(uint32_t id, enum sis_region_type same)
{
	sis__tasks_wait();
	sis__span_open(id, same);
}

static void tasks_wait_end(uint32_t id, enum sis_region_type same)
{
	struct sis_thread *thread = waiter(id, same);
	struct sis_node *node = thread ? thread->pub.current : NULL;
	uint64_t since = thread ? sis__innermost_start(thread) : 0;
	bool own = id == RT_TASKWAIT;
	uint64_t until = thread ? waited_for_device(thread, since, own) : 0;
	sis__ompt_wait_end(id);
	sis__tasks_waited(thread, node, since, own, until);
}

void sis__ompt_sync_region_wait(int kind, int endpoint, union sis_ompt_data *parallel,
				union sis_ompt_data *task, const void *at)
{
	(void)parallel, (void)task, (void)at;
	if (sis__local.off || (kind != OMPT_TASKWAIT && kind != OMPT_TASKGROUP))
		return;
	bool group = kind == OMPT_TASKGROUP;
	uint32_t id = group ? RT_TASKGROUP : RT_TASKWAIT;
	enum sis_region_type same = group ? CR_NONE : CR_OMPTASKWAIT;
	if (endpoint == OMPT_BEGIN) {
		tasks_wait_begin(id, same);
		return;
	}
	tasks_wait_end(id, same);
	if (group)
		sis__combine_begin();
}

/* libomp does not report waits for the tasks that a task depends on. */
#define WAIT_FOR_DEPENDENCES(name, signature) \
	void name SIS_P_##signature \
	{ \
		bool measured = sis__ompt_is_on() && !sis__local.off; \
		if (measured) \
			tasks_wait_begin(RT_TASKWAIT, CR_OMPTASKWAIT); \
		SIS_OMP_REALLY(name) SIS_A_##signature; \
		if (measured) \
			tasks_wait_end(RT_TASKWAIT, CR_OMPTASKWAIT); \
	}
WAIT_FOR_DEPENDENCES(__kmpc_omp_wait_deps, KMP_DEPEND)
WAIT_FOR_DEPENDENCES(__kmpc_omp_taskwait_deps_51, KMP_DEPEND_51)

/* -- mutual exclusion and order ---------------------------------------------------------------- */

/* Tests of a lock are not in this table, because they do not wait, and no callback reports the end
 * of a failed test. LLVM 14 reports them like waits for a lock (sis__ompt_call). */
static const struct { uint32_t wait; enum sis_region_type same; } mutexes[] = {
	[OMPT_LOCK] = { RT_LOCK, CR_OMPLOCK },
	[OMPT_NESTED] = { RT_LOCK, CR_OMPLOCK },
	[OMPT_CRITICAL] = { RT_CRITICAL, CR_NONE },
	[OMPT_ATOMIC] = { RT_ATOMIC, CR_OMPATOMIC },
	[OMPT_ORDERED] = { RT_ORDERED, CR_NONE },
};

/* The entry that this thread is making. */
static __thread struct {
	struct sis_snapshot owner; /* the lock's owner when the wait began */
	bool untimed;              /* this thread had the lock last, and no node was begun */
	uint64_t from;             /* ticks from which on `untimed` is timed; 0: not timed */
} entry;

static uint32_t mutex_wait(int kind)
{
	return kind >= 0 && (unsigned)kind < sizeof mutexes / sizeof mutexes[0] ? mutexes[kind].wait
										: 0;
}

void sis__ompt_mutex_acquire(int kind, unsigned hint, unsigned how, uint64_t mutex, const void *at)
{
	(void)hint, (void)how, (void)at;
	const void *lock = (const void *)(uintptr_t)mutex;
	if (sis__local.off || !mutex_wait(kind) || sis__ompt_call() == RT_LOCK)
		return;
	struct sis_thread *thread = (struct sis_thread *)sis__self;
	entry.untimed = kind != OMPT_ORDERED && may_count() && sis__lock_is_own(thread, lock);
	if (entry.untimed) {
		entry.from = sis__passes_untimed(thread) ? 0 : sis__ticks();
		return;
	}
	sis__span_open(mutex_wait(kind), mutexes[kind].same);
	if (mutex_wait(kind) == RT_LOCK)
		entry.owner = sis__snapshot(sis__lock_owner(lock));
}

/* libomp reports when the wait for a lock begins and ends, but not whether another thread owned the
 * lock. If the wait was long, the last owner still owned the lock. */
static void acquired(int kind, const void *lock)
{
	uint32_t wait = mutex_wait(kind);
	struct sis_thread *thread = waiter(wait, mutexes[kind].same);
	struct sis_node *node = thread ? thread->pub.current : NULL;
	uint64_t now = sis__ticks();
	if (!thread)
		return;
	if (sis__builtin_of(node) == wait)
		sis__end(thread, node, now);
	if (kind == OMPT_ORDERED) {
		sis__ordered_taken(thread, node, now);
		return;
	}
	bool known = wait == RT_LOCK && entry.owner.slot != SIS_NO_SLOT;
	sis__lock_acquired(thread, node, lock, node->start, now, known ? &entry.owner : NULL,
			   NULL);
}

void sis__ompt_mutex_acquired(int kind, uint64_t mutex, const void *at)
{
	(void)at;
	const void *lock = (const void *)(uintptr_t)mutex;
	if (!mutex_wait(kind))
		return;
	if (sis__local.off || !sis__thread()) {
		sis__lock_disown(lock);
	} else if (entry.untimed) {
		entry.untimed = false;
		if (entry.from)
			sis__entered_sampled(sis__thread(), lock, mutex_wait(kind),
					     mutexes[kind].same, entry.from, sis__ticks());
		else
			sis__entered_untimed(sis__thread(), lock, mutex_wait(kind),
					     mutexes[kind].same);
	} else {
		acquired(kind, lock);
	}
}

/* libomp calls this if the thread already owns the nested lock. */
void sis__ompt_nest_lock(int endpoint, uint64_t mutex, const void *at)
{
	(void)mutex, (void)at;
	if (endpoint != OMPT_BEGIN || sis__local.off)
		return;
	if (entry.untimed && may_count())
		sis__count_entry(sis__thread(), RT_LOCK, CR_OMPLOCK);
	else
		sis__ompt_wait_end(RT_LOCK);
	entry.untimed = false;
}

/* -- reductions: libomp combines the parts of large teams while they meet at a barrier --------- */

void sis__ompt_reduction(int kind, int endpoint, union sis_ompt_data *parallel,
			 union sis_ompt_data *task, const void *at)
{
	(void)kind, (void)parallel, (void)task, (void)at;
	struct sis_thread *thread = sis__local.off ? NULL : sis__thread();
	struct sis_node *node = thread ? thread->pub.current : NULL;
	struct sis_team *me = sis__team();
	if (node && endpoint == OMPT_BEGIN) {
		bool at_barrier = sis__builtin_of(node) == RT_IBAR;
		uint32_t region = sis_node_region(at_barrier ? node->parent : node);
		if (sis__clauses_of(region) & SIS_CLAUSE_REDUCE)
			sis__begin(thread, RT_REDUCE, 0);
	} else if (node && endpoint == OMPT_END && sis_node_region(node) == RT_REDUCE) {
		uint64_t now = sis__ticks();
		if (me) /* the combination was no wait */
			me->task_ticks += now - sis__innermost_start(thread);
		sis__end(thread, node, now);
	}
}

/* -- constructs that one thread executes alone ------------------------------------------------- */

static void single(int endpoint)
{
	struct sis_team *me = sis__team_of_several();
	if (me && endpoint == OMPT_BEGIN)
		sis__single_begin(me, sis__ticks());
	else if (me)
		sis__single_end_reported(me, sis__ticks());
}

/* All sections that a thread gets are reported as one event. */
void sis__ompt_work(int kind, int endpoint, union sis_ompt_data *parallel,
		    union sis_ompt_data *task, uint64_t count, const void *at)
{
	(void)parallel, (void)task, (void)count, (void)at;
	if (kind == OMPT_WORK_SINGLE || kind == OMPT_WORK_SECTIONS)
		single(endpoint);
}

void sis__ompt_masked(int endpoint, union sis_ompt_data *parallel, union sis_ompt_data *task,
		      const void *at)
{
	(void)parallel, (void)task, (void)at;
	single(endpoint);
}
