/* SPDX-License-Identifier: BSD-3-Clause */
/* omp_create.c - libgomp's functions that create explicit tasks, called by the program. A thread
 * that executes a task calls task_run in place of the task's function.
 *
 * The idea: libgomp copies a task's data and passes the copy to the task's function. The runtime
 * puts a head before the data:
 *
 *     | task_head: what libgomp sets, fn, ... | pad | the task's own data |
 *                                                   ^ offset
 *
 * A task whose if clause is false needs no head, because it is executed in the call that creates
 * it. This file also measures the cost of a task with a head, with the functions that make and run
 * such a task.
 */
#include "base/signal_mask.h"
#include "measure/core/site.h"
#include "process/calibrated_pair.h"
#include "output/profile/text.h"
#include "adapters/omp/tsan_annotations.h"
#include "adapters/omp/omp_team.h"
#include "adapters/omp/uncontended.h"

#include <signal.h>
#include <string.h>

#define GOMP_TASK_FLAG_DEPEND (1u << 3) /* values of GCC's gomp-constants.h */
#define GOMP_TASK_FLAG_DETACH (1u << 13)
#define GOMP_TASK_FLAG_NOGROUP (1u << 11)
#define GOMP_TASK_FLAG_REDUCTION (1u << 12)

struct task_head {
	/* where libgomp expects the start of the task's data, and writes to it */
	unsigned char start[3 * sizeof(sis_ull)];
	void (*fn)(void *);
	void (*copy)(void *, void *);
	void *data;              /* the creator's */
	struct sis_birth birth;
	uint32_t offset;         /* offset of the task's data in this block; 0: use `data` */
	uint16_t written;        /* bytes of `start` that libgomp sets and the task reads */
};

/* -- executing --------------------------------------------------------------------------------- */

/* Not inline, because the registers that it uses would be saved in the frame of task_run, which
 * exists while the task runs. */
static __attribute__((noinline)) void *run_begin(struct sis_execution *task, struct task_head *head)
{
	void *data = head->offset ? (char *)head + head->offset : head->data;
	if (data)
		memcpy(data, head->start, head->written);
	sis__order_after(head->birth.fork);
	/* `task` is in the frame of task_run, which calls the task's function */
	sis__task_begin(task, &head->birth, (unsigned)SIS_OMP_REALLY(omp_get_thread_num)(), task);
	return data;
}

static void task_run(void *block)
{
	struct task_head *head = block;
	struct sis_execution task;
	void *data = run_begin(&task, head);
	head->fn(data);
	sis__task_end(&task, &head->birth);
	sis__order_before(head->birth.fork);
}

/* -- creating ---------------------------------------------------------------------------------- */

/* `align` is a power of two. */
static size_t round_up(size_t size, size_t align)
{
	return (size + align - 1) & -align;
}

/* Copies a block whose task data has a copy function. */
static void task_copy(void *to, void *from)
{
	struct task_head *head = from;
	memcpy(to, head, sizeof *head);
	memcpy(head->data, head->start, head->written);
	head->copy((char *)to + head->offset, head->data);
	sis__order_before(head->birth.fork);
}

/* from: the return address of the call that creates the task; NULL: the task is executed in this
 * call, so its stack shows where it was created. Members are set one by one, because the compiler
 * would copy a whole structure in a loop, which takes longer than the rest of this function. Not
 * inline, because the registers that it uses would be saved in the caller's frame. */
static __attribute__((noinline)) void head_fill(struct task_head *head, void (*fn)(void *),
						void *data, void (*copy)(void *, void *),
						size_t written, const void *from)
{
	memset(head->start, 0, sizeof head->start);
	head->fn = fn;
	head->copy = copy;
	head->data = data;
	head->offset = 0;
	head->written = data ? (uint16_t)written : 0;
	sis__task_born(&head->birth, sis__task_body_take(sis__thread()));
	if (from)
		sis__task_note_stack(&head->birth, from);
	sis__order_before(head->birth.fork);
}

/* Copies the first words of the data, which libgomp reads: a taskloop's bounds, then its
 * reductions. */
static void head_start(struct task_head *head, const void *data, long size)
{
	size_t bytes = size < 0 ? 0 : (size_t)size;
	if (data)
		memcpy(head->start, data, bytes < sizeof head->start ? bytes : sizeof head->start);
}

/* Whether a task that this thread creates needs a head. The head says, in any thread that executes
 * the task, whether the task is measured. */
static bool needs_head(void)
{
	const struct sis_local *local = &sis__local;
	if (local->off && (!local->muted || SIS_OMP_REALLY(omp_get_num_threads)() == 1))
		return false;
	return !sis__omp_has_callbacks() && (sis__thread() || sis__team() || local->muted);
}

#define BLOCK_ALIGN 16 /* alignment that alloca guarantees */
_Static_assert(__BIGGEST_ALIGNMENT__ >= BLOCK_ALIGN,
	       "a block on the stack is aligned for any data of gcc's");
/* Room for a block in the caller's stack frame. The stack is large enough, because it already holds
 * the data. */
#define BLOCK_ON_STACK(bytes, align)                                                       \
	((struct task_head *)round_up(                                                     \
		(size_t)__builtin_alloca((bytes) + ((align) > BLOCK_ALIGN ? (align) : 0)), \
		(align)))

/* To create a task is no wait, so the source's region need not be timed. */
static struct sis_span create_begin(void)
{
	struct sis_thread *thread = sis__thread_direct();
	if (SIS_LIKELY(thread && sis__current_type(thread) == CR_OMPTASK))
		return (struct sis_span){ NULL, NULL };
	return sis__span_begin(RT_TASKCRE, CR_OMPTASK);
}

/* -- a task that is executed where it is created, because its if clause is false -----------------
 *
 * Such a task is just a call of a function. Programs create it to avoid the cost of other tasks. So
 * the budget turns such tasks off, together with the construct's region. Then their time belongs to
 * the creator's node.
 */

static void note_at_once(uint32_t id)
{
	struct sis_region_fact *fact = (struct sis_region_fact *)sis__region_fact(id);
	if (SIS_UNLIKELY(!fact->at_once && fact != &sis__no_fact))
		__atomic_store_n(&fact->at_once, true, __ATOMIC_RELAXED); /* only a hint */
}

/* `body` below: the region of the task's body. */
static __attribute__((noinline)) void at_once_measured(uint32_t body, void (*fn)(void *),
						       void *data, void (*copy)(void *, void *),
						       long size, long align, unsigned flags)
{
	struct sis_birth birth;
	struct sis_execution task;
	sis__task_born(&birth, body);
	sis__task_begin(&task, &birth, 0, NULL);
	SIS_OMP_REALLY(GOMP_task)(fn, data, copy, size, align, false, flags, NULL, 0, NULL);
	sis__task_end(&task, &birth);
}

/* A taskwait in the task does not wait for tasks of the creator, so the creator still has to wait
 * for its tasks. */
static __attribute__((noinline)) void at_once_off(void (*fn)(void *), void *data,
						  void (*copy)(void *, void *), long size,
						  long align, unsigned flags)
{
	struct sis_team *me = sis__team();
	bool has_tasks = me && me->has_tasks;
	SIS_OMP_REALLY(GOMP_task)(fn, data, copy, size, align, false, flags, NULL, 0, NULL);
	if (has_tasks)
		me->has_tasks = true;
}

static void task_at_once(void (*fn)(void *), void *data, void (*copy)(void *, void *), long size,
			 long align, unsigned flags)
{
	struct sis_thread *thread = sis__thread();
	uint32_t body = sis__task_body_take(thread);
	if (sis__region_fact(body)->off & SIS_OFF_BY_BUDGET) {
		at_once_off(fn, data, copy, size, align, flags);
		return;
	}
	note_at_once(body);
	if (thread && sis__current_type(thread) == CR_OMPTASK)
		note_at_once(sis_node_region(thread->pub.current));
	at_once_measured(body, fn, data, copy, size, align, flags);
}

/* libgomp may execute the task in this call, and the task may create the next one, thousands of
 * levels deep. So the frame of this function contains little more than the block. */
void GOMP_task SIS_P_TASK
{
	if (!needs_head()) {
		SIS_OMP_REALLY(GOMP_task) SIS_A_TASK;
		return;
	}
	if (!deferred && !(flags & (GOMP_TASK_FLAG_DEPEND | GOMP_TASK_FLAG_DETACH))) {
		task_at_once(fn, data, copy, size, align, flags);
		return;
	}
	size_t whole_align = align > BLOCK_ALIGN ? (size_t)align : BLOCK_ALIGN;
	uint32_t offset = copy || deferred
				  ? (uint32_t)round_up(sizeof(struct task_head), whole_align)
				  : 0;
	/* unless there is a copy function, libgomp copies this many bytes */
	size_t whole = offset + (size_t)size;
	bool taken = deferred && !copy;
	struct task_head *head = BLOCK_ON_STACK(taken ? whole : sizeof *head, whole_align);
	head_fill(head, fn, data, copy, flags & GOMP_TASK_FLAG_DETACH ? sizeof(void *) : 0,
		  deferred ? __builtin_return_address(0) : NULL);
	head->offset = offset;
	if (taken && size)
		memcpy((char *)head + offset, data, (size_t)size);
	if (deferred)
		sis__task_shared();
	struct sis_span span = create_begin();
	SIS_OMP_REALLY(GOMP_task)
	(task_run, head, copy ? task_copy : NULL, (long)(offset ? whole : sizeof *head),
	 (long)whole_align, deferred, flags, depend, priority, detach);
	sis__span_end(span);
}

/* -- taskloop: one call creates many tasks, and waits for them if there is no nogroup clause ------
 * LIMIT: with a reduction the wait cannot be separated from the creation; both count as
 * creation. */

#define TASKLOOP(name, type, signature) \
	static void name##_create SIS_P_##signature \
	{ \
		struct task_head fields; \
		sis__task_shared(); \
		head_fill(&fields, fn, data, copy, 2 * sizeof(type), \
			  __builtin_return_address(0)); \
		head_start(&fields, data, size); \
		align = align > BLOCK_ALIGN ? align : BLOCK_ALIGN; \
		fields.offset = (uint32_t)round_up(sizeof fields, (size_t)align); \
		struct task_head *head = &fields; \
		if (!copy) { \
			head = BLOCK_ON_STACK(fields.offset + (size_t)size, (size_t)align); \
			*head = fields; \
			memcpy((char *)head + head->offset, data, (size_t)size); \
		} \
		size += fields.offset; \
		copy = copy ? task_copy : NULL; \
		fn = task_run; \
		data = head; \
		struct sis_span span = sis__span_begin(RT_TASKCRE, CR_OMPTASKLOOP); \
		SIS_OMP_REALLY(name) SIS_A_##signature; \
		sis__span_end(span); \
	} \
	void name SIS_P_##signature \
	{ \
		if (!needs_head()) { \
			SIS_OMP_REALLY(name) SIS_A_##signature; \
		} else if (flags & (GOMP_TASK_FLAG_NOGROUP | GOMP_TASK_FLAG_REDUCTION)) { \
			name##_create SIS_A_##signature; \
			sis__combine_begin(); \
		} else { \
			/* Does the same as libgomp, but here the wait is a separate call. */ \
			flags |= GOMP_TASK_FLAG_NOGROUP; \
			SIS_OMP_REALLY(GOMP_taskgroup_start)(); \
			name##_create SIS_A_##signature; \
			GOMP_taskgroup_end(); \
		} \
	}
TASKLOOP(GOMP_taskloop, long, TASKLOOP)
TASKLOOP(GOMP_taskloop_ull, sis_ull, TASKLOOP_ULL)

/* -- what a task costs: measured once, as in adapters/mpi/mpi_cost.c --------------------------- */

static struct {
	struct sis_thread thread;
	struct sis_node root, body;
} scratch;

static void nothing(void *data) { (void)data; }

static __attribute__((noinline)) void empty_task(struct sis_thread *thread)
{
	struct task_head head, copy;
	thread->site[thread->sites++] =
		(struct sis_site){ SIS_CALIBRATED_ID, SIS_MPI_ROUTINES, thread->pub.current };
	head_fill(&head, nothing, NULL, NULL, 0, NULL);
	copy = head;
	task_run(&copy);
}

/* Signals are blocked, because no signal handler may see the scratch thread. */
void sis__task_cost_note(void)
{
	enum { TASKS = 64, ROUNDS = 16 };
	uint64_t least = UINT64_MAX; /* ticks of the fastest round */
	struct sis__thread *self = sis__self;
	struct sis_thread *own = sis__local.own;
	sigset_t all, before;
	struct sis__fp program = sis__fp_begin();
	sigfillset(&all);
	sis__signal_mask(SIG_SETMASK, &all, &before);
	scratch.root = (struct sis_node){ .region = RT_RUN, .last_child = &scratch.body,
					  .children = 1 };
	scratch.body = (struct sis_node){ .region = SIS_CALIBRATED_ID, .parent = &scratch.root,
					  .next = &scratch.body, .last_child = &sis__no_node,
					  .rung = SIS_RUNG_FRACTION };
	scratch.thread.pub.current = scratch.thread.pub.root = &scratch.root;
	sis__self = (struct sis__thread *)&scratch.thread;
	sis__local.own = &scratch.thread;
	for (int round = 0; round < ROUNDS; round++) {
		uint64_t begin = sis__ticks();
		for (unsigned i = 0; i < TASKS; i++)
			empty_task(&scratch.thread);
		uint64_t ticks = sis__ticks() - begin;
		least = ticks < least ? ticks : least;
	}
	sis__local.own = own;
	sis__self = self;
	sis__signal_mask(SIG_SETMASK, &before, NULL);
	sis__text("task", "%.2f",
		  (double)least * 1e9 / (double)sis__header()->ticks_per_second / TASKS);
	sis__fp_end(&program);
}
