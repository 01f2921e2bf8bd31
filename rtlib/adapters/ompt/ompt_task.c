/* SPDX-License-Identifier: BSD-3-Clause */
/* ompt_task.c - libomp's explicit tasks. Called by the threads that create and execute tasks.
 *
 * The idea: libomp reports that a thread goes from one task to another. If the thread has not begun
 * the second task, the second task begins. The first task stays open unless it has ended, because
 * libomp executes the second task on the stack of the first. If the thread has begun the second
 * task before, the first task is over, and the thread continues the second one.
 *
 * An untied task is a function that is called several times, by any threads. Where it may be
 * interrupted, it gives itself back to libomp (__kmpc_omp_task) and returns. Another thread may
 * begin the next call before this call returns. So a part ends when the task gives itself back. The
 * regions that are open at this moment are noted, and the next part enters them again, without
 * counting an activation.
 * LIMIT: if more than PATH nested regions are open, the innermost ones are not entered again.
 */
#include "measure/core/site.h"
#include "adapters/omp/tsan_annotations.h"
#include "adapters/ompt/ompt.h"

/* In bytes. In LLVM 19 a handle is 64 bytes behind its word; other tasks are farther away. */
enum { PATH = 20, WORD_TO_HANDLE = 256 };

struct task { /* in a block of its own, from its creation to its end */
	const void *owner;   /* `here` of the thread that has this task open; NULL: none; atomic */
	struct task *outer;  /* the task that the thread has open around it */
	const void *handle;  /* libomp's own pointer to the task */
	struct sis_birth birth;
	struct sis_execution execution;
	bool untied, began;
	uint32_t depth;      /* number of elements of `path` */
	uint32_t path[PATH]; /* regions open when the task was suspended, the outermost first */
};
_Static_assert(sizeof(struct task) <= SIS_BLOCK, "a task fits its block");

static __thread struct {
	struct task *task;    /* the innermost open task */
	const void *creating; /* libomp's own pointer to the task that is being created */
	const void *from;     /* return address of the call that creates it; NULL: not interposed */
	const void *copied;   /* libomp's own pointer to the last copy that a taskloop made */
	uint32_t body;        /* region of the task that is being created; 0: not known yet */
} here;

static bool is_open_here(const struct task *task)
{
	/* Relaxed is enough: only this thread sets `owner` to its own `here`, and from that back to
	 * NULL. */
	return __atomic_load_n(&task->owner, __ATOMIC_RELAXED) == &here;
}

/* -- parts of untied tasks --------------------------------------------------------------------- */

static void keep_path(struct task *task)
{
	const struct sis_execution *execution = &task->execution;
	struct sis_thread *thread = execution->thread;
	task->depth = 0;
	if (!execution->node || thread != sis__local.own)
		return;
	uint32_t depth = 0;
	struct sis_activation at = sis__innermost(thread);
	const struct sis_activation own = { execution->node, execution->folds };
	for (; !sis__is_same(at, own) && at.node != thread->pub.root; depth++)
		at = sis__outer(thread, at);
	if (!sis__is_same(at, own))
		return;
	task->depth = depth < PATH ? depth : PATH;
	for (uint64_t now = sis__ticks(); depth--; sis__end(thread, thread->pub.current, now))
		if (depth < PATH)
			task->path[depth] = sis_node_region(thread->pub.current);
}

static void enter_path(struct task *task)
{
	struct sis_thread *thread = task->execution.thread;
	if (!task->execution.node)
		return;
	task->execution.node->calls--;
	for (uint32_t i = 0; i < task->depth; i++) {
		struct sis_node *node = sis__begin(thread, task->path[i], task->execution.start);
		if (!node)
			break;
		node->calls--;
	}
}

/* -- executing --------------------------------------------------------------------------------- */

static void begin(struct task *task)
{
	__atomic_store_n(&task->owner, &here, __ATOMIC_RELAXED);
	task->outer = here.task;
	here.task = task;
	sis__order_after(task->birth.fork);
	sis__task_begin(&task->execution, &task->birth, sis__ompt_number(),
			task->birth.stack ? sis__ompt_task_frame() : NULL);
	if (task->began)
		enter_path(task);
	task->began = true;
}

static void end(struct task *task, bool for_good)
{
	if (!for_good && task->untied)
		keep_path(task);
	sis__task_end(&task->execution, &task->birth);
	sis__order_before(task->birth.fork);
	here.task = task->outer;
	__atomic_store_n(&task->owner, NULL, __ATOMIC_RELAXED);
}

void sis__ompt_task_schedule(union sis_ompt_data *prior, int status, union sis_ompt_data *next)
{
	struct task *from = sis__ompt_explicit_of(prior), *to = sis__ompt_explicit_of(next);
	if (status > OMPT_TASK_DETACH && status != OMPT_TASK_SWITCH)
		return; /* an event was fulfilled or a wait is over: the thread stays in its task */
	bool ends = status == OMPT_TASK_COMPLETE || status == OMPT_TASK_CANCEL ||
		    status == OMPT_TASK_DETACH;
	if (from && is_open_here(from) && (ends || !to || is_open_here(to)))
		end(from, ends);
	/* the thread that ends the last part of an untied task reports the task's end */
	if (from && ends) {
		prior->ptr = NULL;
		sis__block_give(from);
	}
	if (to && !is_open_here(to))
		begin(to);
}

/* -- creating ---------------------------------------------------------------------------------- */

void sis__ompt_task_create(union sis_ompt_data *creator, const void *frame,
			   union sis_ompt_data *task, int flags, int has_dependences,
			   const void *at)
{
	(void)creator, (void)frame, (void)has_dependences;
	const void *from = here.from ? here.from : at;
	here.from = NULL;
	if (!(flags & OMPT_TASK_EXPLICIT))
		return;
	/* For a taskloop, libomp also creates tasks of its own, which create tasks in turn. For
	 * each of these, libomp also copies a task that is never executed. So after a copy `task`
	 * may not be the word of the copied task. libomp keeps the word and the handle of a task
	 * side by side. */
	bool is_own = here.copied && (uintptr_t)here.copied - (uintptr_t)task >= WORD_TO_HANDLE;
	uint32_t body = is_own ? RT_TASKCRE : here.body;
	here.copied = NULL;
	here.body = 0;
	/* If no interposed call is around this (tasks with if(0), code of gcc), the current node is
	 * the node of the construct. */
	if (!body)
		body = sis__task_body_take(sis__thread());
	if (!sis__thread() && !sis__team() && !sis__local.muted)
		return;
	struct task *new = sis__block_take();
	if (!new)
		return;
	sis__task_born(&new->birth, body);
	if (!(flags & OMPT_TASK_UNDEFERRED)) {
		sis__task_shared();
		sis__task_note_stack(&new->birth, from);
	}
	sis__order_before(new->birth.fork);
	new->untied = flags & OMPT_TASK_UNTIED;
	new->handle = here.creating;
	task->ptr = new;
}

uint32_t sis__ompt_body_announced(void)
{
	return sis__ompt_is_on() ? sis__task_body_take(sis__thread()) : 0;
}

void sis__ompt_copied(const void *handle, uint32_t body)
{
	here.copied = handle;
	here.body = body;
}

static struct sis_span create_begin(const void *task, const void *from)
{
	here.creating = task;
	here.from = from;
	here.body = sis__ompt_body_announced();
	return sis__ompt_is_on() ? sis__span_open(RT_TASKCRE, CR_OMPTASK)
				 : (struct sis_span){ NULL, NULL };
}

static void create_end(struct sis_span span)
{
	here.creating = NULL;
	here.from = NULL;
	here.body = 0;
	sis__span_end(span);
}

int __kmpc_omp_task_with_deps SIS_P_KMP_TASK_DEPEND
{
	struct sis_span span = create_begin(task, __builtin_return_address(0));
	int value = SIS_OMP_REALLY(__kmpc_omp_task_with_deps) SIS_A_KMP_TASK_DEPEND;
	create_end(span);
	return value;
}

/* Gives libomp a new task, or the rest of an untied task that calls it. */
int __kmpc_omp_task SIS_P_KMP_TASK
{
	if (here.task && here.task->untied && here.task->handle == task) {
		end(here.task, false);
		return SIS_OMP_REALLY(__kmpc_omp_task) SIS_A_KMP_TASK;
	}
	struct sis_span span = create_begin(task, __builtin_return_address(0));
	int value = SIS_OMP_REALLY(__kmpc_omp_task) SIS_A_KMP_TASK;
	create_end(span);
	return value;
}
