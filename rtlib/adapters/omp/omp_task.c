/* SPDX-License-Identifier: BSD-3-Clause */
/* omp_task.c - explicit tasks. Each body is a node below the current node of the executing thread,
 * so that the time of tasks in a barrier or taskwait does not count as wait. The node's region is
 * the one that was announced to the task's creator (SIS_TASK), or RT_TASK. Called by the threads
 * that create and execute tasks, through omp_create.c for libgomp and ompt_task.c for libomp.
 *
 * Tasks that remain at the end of a team are executed in the last barrier, by threads that have
 * already released their slots (omp_team.c). Such a thread takes its slot again for the time of the
 * task.
 */
#include "measure/counters/counter.h"
#include "output/trace/tracing.h"
#include "measure/core/thread.h"
#include "blame/stacks/samples.h"
#include "adapters/omp/omp_team.h"

/* -- short tasks, of which one in some is timed (SIS_RUNG_FRACTION) ---------------------------- */

static void enter_cheaply(struct sis_execution *task)
{
	struct sis_thread *thread = task->thread;
	struct sis_node *node = task->node;
	task->untimed = !sis__is_chosen((const struct sis__node *)node, node->calls);
	task->start = task->untimed ? thread->pub.stamp : sis__ticks();
	node->calls++;
	sis__enter_node(thread, node, false, task->start);
	node->start |= task->untimed ? SIS_START_UNTIMED : SIS_START_CHOSEN;
	task->folds = thread->folds;
}

/* Ends the task without reading the clock. Returns false if the clock must be read: the task has
 * waited, or an activation inside of it is still open. */
static bool end_cheaply(const struct sis_execution *task)
{
	struct sis_node *node = task->node;
	struct sis_thread *thread = task->thread;
	if (thread != sis__local.own || thread->pub.current != node || thread->overlaps ||
	    node->start < SIS_START_CHOSEN)
		return false;
	if (!task->untimed) {
		uint64_t now = sis__ticks(), ticks = now > task->start ? now - task->start : 0;
		uint64_t counted = sis__count_chosen((struct sis__node *)node, ticks);
		sis__add_extremes(node, ticks);
		node->total += counted;
		thread->pub.stamp = now;
		sis__add_inside_of(node->parent, counted);
	}
	thread->pub.current = node->parent;
	return true;
}

/* -- executing --------------------------------------------------------------------------------- */

static void enter(struct sis_execution *task, const struct sis_birth *birth)
{
	struct sis_thread *thread = task->thread;
	uint32_t set = sis__region_fact(birth->body)->set;
	bool folds;
	task->node = sis__node_to_enter(thread, birth->body, birth->origin, &folds);
	if (task->node && !folds && task->node->rung == SIS_RUNG_FRACTION &&
	    task->node->min < SIS_SHORT) {
		enter_cheaply(task);
		return;
	}
	task->start = sis__ticks();
	if (task->me)
		sis__task_found(task->me, birth, task->start);
	if (!task->node)
		return;
	if (set && !folds)
		sis__counters_begin(thread, task->node, set);
	task->node->calls++;
	if (thread->trace)
		sis__trace_enter(thread, birth->body, task->start);
	sis__enter_node(thread, task->node, folds, task->start);
	task->folds = thread->folds;
}

/* From now on the stacks of samples end at the frame, and refer to the stack that created the task.
 * A sample between the two stores is in the runtime, where this does not matter. */
static void stack_begin(struct sis_execution *task, const struct sis_birth *birth,
			const void *frame)
{
	struct sis_thread *own = sis__local.own;
	if (SIS_LIKELY(!birth->stack) || !frame || !own)
		return;
	task->stack_of = own;
	task->outer_stack = own->task_stack;
	task->outer_end = own->task_end;
	own->task_end = (uint64_t)(uintptr_t)frame;
	__atomic_signal_fence(__ATOMIC_SEQ_CST); /* pairs with this thread's samples' handler */
	own->task_stack = birth->stack;
}

static void stack_end(const struct sis_execution *task)
{
	struct sis_thread *own = task->stack_of;
	if (SIS_LIKELY(!own) || own != sis__local.own)
		return;
	own->task_stack = task->outer_stack;
	__atomic_signal_fence(__ATOMIC_SEQ_CST); /* see stack_begin */
	own->task_end = task->outer_end;
}

void sis__task_begin(struct sis_execution *task, const struct sis_birth *birth, unsigned number,
		     const void *frame)
{
	struct sis_parallel *fork = birth->fork;
	*task = (struct sis_execution){ .me = sis__team() };
	if (fork && (!task->me || task->me->fork != fork)) {
		/* the thread has already left the region's code */
		bool was_member = fork->member && number < fork->size &&
				  fork->member[number].thread;
		task->me = was_member ? &fork->member[number] : NULL;
		if (was_member) {
			task->before = sis__set_thread_state(task->me->thread);
			task->lent = true;
		}
	}
	stack_begin(task, birth, frame);
	if (birth->muted)
		sis__measure_for(0, 0);
	task->thread = sis__thread();
	if (task->thread) {
		sis__privates_over(task->thread); /* the task is executed where it is created */
		enter(task, birth);
	}
	if (task->me) {
		task->outer_origin = task->me->task_origin;
		task->me->task_origin = birth->origin;
		task->me->task_depth++;
		task->outer_has_tasks = task->me->has_tasks;
		task->me->has_tasks = false;
	}
}

/* Ends the task's node, and notes the task for other members. */
static void end_timed(const struct sis_execution *task, const struct sis_birth *birth)
{
	uint64_t now = sis__ticks();
	if (task->me && task->node && task->me->fork->size > 1 && task->thread == sis__local.own) {
		struct sis_where where = { task->node,
					   SIS_CULPRIT_ESTIMATED | SIS_CULPRIT_INSIDE };
		if (now - task->start >= sis__wait_short())
			where = sis__recent_region(task->thread, task->start, now);
		sis__member_look(task->me, now);
		sis__task_done(task, birth, now, where);
	}
	if (task->thread && task->thread == sis__local.own) {
		sis__end(task->thread, task->node, now);
		sis__time_waited(task->thread, task->start, now);
	}
	if (task->me) {
		task->me->busy = now;
		if (task->me->task_depth == 1 && task->node)
			task->me->task_ticks += now - task->start;
	}
}

/* A short task that is not timed need not be noted, because other members wait for a longer task,
 * or for a task that ends later. */
void sis__task_end(struct sis_execution *task, const struct sis_birth *birth)
{
	if (!task->node || !end_cheaply(task))
		end_timed(task, birth);
	if (task->me) {
		task->me->task_origin = task->outer_origin;
		task->me->task_depth--;
		task->me->has_tasks = task->outer_has_tasks;
	}
	if (birth->muted)
		sis__measure_for(0, 1);
	stack_end(task);
	if (task->lent)
		sis__set_thread_state(task->before);
}

/* -- creating ---------------------------------------------------------------------------------- */

/* Notes where the creator was before, if this was long enough for another member to wait. Uses the
 * time of the creator's last probe instead of reading the clock, because a task must cost little.
 */
static void note_creator(struct sis_team *me, struct sis_birth *birth)
{
	uint64_t now = me->thread->pub.stamp, since = me->born ? me->born : me->start;
	me->born = now;
	if (now < since || now - since < sis__wait_short())
		return;
	birth->at = now;
	birth->before = sis__recent_region(me->thread, since, now).node;
}

void sis__task_born(struct sis_birth *birth, uint32_t body)
{
	struct sis_team *me = sis__team();
	*birth = (struct sis_birth){ .fork = me ? me->fork : NULL,
				     .creator = me,
				     .body = body,
				     .muted = sis__local.muted > 0 };
	if (me && me->thread && me->thread == sis__local.own)
		note_creator(me, birth);
	if (me && me->task_origin)
		birth->origin = me->task_origin;
	else if (sis__local.own)
		birth->origin = sis__local.own->pub.current;
}

void sis__task_note_stack(struct sis_birth *birth, const void *from)
{
	birth->stack = sis__stacks_task_origin(from);
}

void sis__task_shared(void)
{
	struct sis_team *me = sis__team();
	if (!me)
		return;
	me->made_tasks = me->has_tasks = true;
	sis__single_suspend(me);
}
