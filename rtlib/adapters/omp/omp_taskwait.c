/* SPDX-License-Identifier: BSD-3-Clause */
/* omp_taskwait.c - waits for explicit tasks (taskwait, the end of a taskgroup) and their causes.
 * Also finds tasks that caused waits at barriers. Called by threads that wait, and by threads that
 * execute tasks. The interposed functions are libgomp's; ompt_wait.c does the same for libomp.
 *
 * A thread that waits may execute tasks itself; the time in these is no wait. The wait after its
 * own last task was caused by the member whose task ended last. Each member notes its last task,
 * and threads that have waited read the notes.
 */
#include "base/seqlock.h"
#include "adapters/omp/omp_team.h"
#include "adapters/omp/uncontended.h"

void sis__task_done(const struct sis_execution *task, const struct sis_birth *birth, uint64_t end,
		    struct sis_where where)
{
	struct sis_done *done = &task->me->done;
	uint64_t version = sis__seqlock_write_begin(&done->version);
	SIS_SET(done->start, task->start);
	SIS_SET(done->end, end);
	SIS_SET(done->creator, birth->creator);
	SIS_SET(done->where.node, where.node);
	SIS_SET(done->where.flags, where.flags);
	sis__seqlock_write_end(&done->version, version);
}

static bool read_done(const struct sis_done *from, struct sis_done *done)
{
	done->version = sis__seqlock_read_begin(&from->version);
	done->start = SIS_GET(from->start);
	done->end = SIS_GET(from->end);
	done->creator = SIS_GET(from->creator);
	done->where.node = SIS_GET(from->where.node);
	done->where.flags = SIS_GET(from->where.flags);
	return done->version && sis__seqlock_read_end(&from->version, done->version);
}

uint64_t sis__task_ended(const struct sis_team *member, uint64_t from, uint64_t to)
{
	struct sis_done done;
	bool between = read_done(&member->done, &done) && done.end > from && done.end <= to;
	return between ? done.end : from;
}

/* Returns the member whose task was the last one that ended between `from` and `now`; NULL: none is
 * known. */
static const struct sis_team *find_last(struct sis_team *me, uint64_t from, uint64_t now, bool own,
					struct sis_done *last)
{
	const struct sis_team *other = NULL;
	struct sis_done done;
	last->end = from;
	for (unsigned i = 0; i < me->fork->size; i++) {
		struct sis_team *member = &me->fork->member[i];
		if (member == me || !member->thread || !read_done(&member->done, &done) ||
		    (own && done.creator != me) || done.end <= last->end || done.end > now)
			continue;
		*last = done;
		other = member;
	}
	return other;
}

/* -- waits at barriers ------------------------------------------------------------------------- */

static void note_because(struct sis_team *me, uint32_t slot, struct sis_where where, uint64_t ticks)
{
	for (unsigned i = 0; i < me->becauses; i++) {
		struct sis_because *same = &me->because[i];
		if (same->slot == slot && same->where.node == where.node) {
			same->ticks += ticks;
			same->where.flags |= where.flags;
			return;
		}
	}
	if (me->becauses < SIS_BECAUSE)
		me->because[me->becauses++] = (struct sis_because){ slot, where, ticks };
}

/* The member had no task until now, because the task that it begins was created late, or had to
 * wait for the end of another task. */
void sis__task_found(struct sis_team *me, const struct sis_birth *birth, uint64_t now)
{
	const struct sis_node *wait = me->thread->pub.current;
	uint32_t region = sis__builtin_of(wait);
	if (region != RT_IBAR && region != RT_EBAR)
		return;
	uint64_t from = me->busy > wait->start ? me->busy : wait->start;
	if (now < from || now - from < sis__wait_short() || me->fork->size < 2)
		return;
	struct sis_done last;
	const struct sis_team *other = find_last(me, from, now, false, &last),
			      *creator = birth->creator;
	struct sis_where before = { birth->before, SIS_CULPRIT_ESTIMATED };
	if (birth->at > from && creator != me && creator->thread)
		note_because(me, creator->thread->pub.slot, before, now - from);
	else if (other)
		note_because(me, other->thread->pub.slot, last.where, now - from);
}

uint64_t sis__task_charge(struct sis_thread *thread, struct sis_node *node, uint64_t ticks,
			  const struct sis_team *last, uint64_t from)
{
	struct sis_done done;
	if (!read_done(&last->done, &done))
		return ticks;
	uint64_t start = done.start > from ? done.start : from,
		 part = done.end > start ? done.end - start : 0;
	part = part < ticks ? part : ticks;
	sis__culprit(thread, node, last->thread->pub.slot, done.where, part);
	return ticks - part;
}

/* -- waits for tasks --------------------------------------------------------------------------- */

void sis__tasks_wait(void)
{
	const struct sis_team *me = sis__team();
	if (me)
		sis__member_look(me, sis__ticks());
}

uint64_t sis__tasks_awaited(uint64_t since, uint64_t now, bool own)
{
	struct sis_team *me = sis__team();
	struct sis_done last = { .end = since };
	if (me)
		find_last(me, me->busy > since ? me->busy : since, now, own, &last);
	return last.end;
}

void sis__tasks_waited(struct sis_thread *thread, struct sis_node *node, uint64_t since, bool own,
		       uint64_t until)
{
	struct sis_team *me = sis__team();
	struct sis_done last;
	if (me)
		sis__single_resume(me);
	if (!me || !thread)
		return;
	uint64_t now = sis__ticks();
	uint64_t from = me->busy > since ? me->busy : since; /* until then it executed tasks */
	sis__member_waited(me, node, from, now);
	now = until ? until : now;
	if (now < from || now - from < sis__wait_short() || me->fork->size < 2)
		return;
	const struct sis_team *other = find_last(me, from, now, own, &last);
	if (!other)
		return;
	bool whole = last.start <= from && now - last.end < (now - from) / 10;
	last.where.flags |= whole ? 0 : SIS_CULPRIT_ESTIMATED;
	sis__culprit(thread, node, other->thread->pub.slot, last.where, now - from);
}

/* -- libgomp ----------------------------------------------------------------------------------- */

/* The wait's node is that of the span. If the span has none, it is the node of the construct in the
 * source. */
#define WAIT(called, name, parameters, arguments, wait, same, own, then) \
	called parameters \
	{ \
		if (sis__local.off) { \
			SIS_OMP_REALLY(name) arguments; \
			return; \
		} \
		sis__tasks_wait(); \
		struct sis_span span = sis__span_begin(wait, same); \
		struct sis_node *node = span.thread ? span.thread->pub.current : NULL; \
		SIS_OMP_REALLY(name) arguments; \
		uint64_t since = span.thread ? sis__innermost_start(span.thread) : 0; \
		sis__span_end(span); \
		sis__tasks_waited(span.thread, node, since, own, 0); \
		then; \
	}
WAIT(static __attribute__((noinline)) void taskwait, GOMP_taskwait, (void), (), RT_TASKWAIT,
     CR_OMPTASKWAIT, true, (void)0)
WAIT(void GOMP_taskwait_depend, GOMP_taskwait_depend, (void **depend), (depend), RT_TASKWAIT,
     CR_OMPTASKWAIT, true, (void)0)
WAIT(static __attribute__((noinline)) void taskgroup_end, GOMP_taskgroup_end, (void), (),
     RT_TASKGROUP, CR_NONE, false, sis__combine_begin())

/* A task that has created none since its last taskwait need not wait. */
void GOMP_taskwait(void)
{
	struct sis_thread *thread = sis__thread_direct();
	struct sis_team *me = sis__team();
	if (thread && !(me && me->has_tasks)) {
		sis__count_entry(thread, RT_TASKWAIT, CR_OMPTASKWAIT);
		SIS_OMP_REALLY(GOMP_taskwait)();
		return;
	}
	taskwait();
	if (me)
		me->has_tasks = false;
}

/* Returns the calling thread if it has created no task in this team, and so has nothing to wait
 * for. Returns NULL if the call is timed, or if the thread is not measured. */
static struct sis_thread *thread_without_tasks(void)
{
	const struct sis_team *me = sis__team();
	return me && me->made_tasks ? NULL : sis__thread_direct();
}

/* Even after a taskwait this call may have to wait: children of the tasks may still run, and the
 * end of a taskgroup waits for these, too. */
void GOMP_taskgroup_end(void)
{
	struct sis_thread *thread = thread_without_tasks();
	if (!thread) {
		taskgroup_end();
		return;
	}
	sis__count_entry(thread, RT_TASKGROUP, CR_NONE);
	SIS_OMP_REALLY(GOMP_taskgroup_end)();
	sis__combine_begin();
}

static __attribute__((noinline)) SIS_OMP_QUIET_BY(sis__span_begin, taskyield, GOMP_taskyield,
						  NOTHING, RT_TASKSCHED, CR_OMPTASKYIELD)

void GOMP_taskyield(void)
{
	struct sis_thread *thread = thread_without_tasks();
	if (!thread) {
		taskyield();
		return;
	}
	sis__count_entry(thread, RT_TASKSCHED, CR_OMPTASKYIELD);
	SIS_OMP_REALLY(GOMP_taskyield)();
}
