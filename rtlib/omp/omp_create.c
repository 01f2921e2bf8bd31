/* SPDX-License-Identifier: BSD-3-Clause */
/* omp_create.c - libgomp's functions that create explicit tasks. Creating threads call them.
 * Executing threads call task_run in place of the task's function.
 *
 * Its idea: libgomp copies a task's data and passes the copy to the task's function. The runtime
 * puts a head before the data:
 *
 *     | task_head: what libgomp sets, fn, ... | pad | the task's own data |
 *                                                   ^ offset
 *
 * A task whose if clause is false needs no head, because it is executed in the call that creates
 * it. What a task with a head costs is measured here, too, by the functions that build and run it.
 */
#include "base/signal_mask.h"
#include "core/site.h"
#include "process/calibrated_pair.h"
#include "profile/text.h"
#include "omp/tsan_annotations.h"
#include "omp/omp_team.h"
#include "omp/uncontended.h"

#include <signal.h>
#include <string.h>

#define GOMP_TASK_FLAG_DEPEND (1u << 3) /* as GCC's gomp-constants.h has them */
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
	uint32_t offset;         /* of the task's data in this block; 0: use `data` */
	uint16_t written;        /* bytes of `start` that libgomp sets and the task reads */
};

static void *data_of(struct task_head *head)
{
	return head->offset ? (char *)head + head->offset : head->data;
}

/* -- executing --------------------------------------------------------------------------------- */

/* Not inline, so that its registers are not saved in the frame of task_run, which stays while the
 * task runs. */
static __attribute__((noinline)) void *run_begin(struct sis_execution *task, struct task_head *head)
{
	void *data = data_of(head);
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

/* Copies a block where the task's data has a copy function. */
static void task_copy(void *to, void *from)
{
	struct task_head *head = from;
	memcpy(to, head, sizeof *head);
	memcpy(head->data, head->start, head->written);
	head->copy((char *)to + head->offset, head->data);
	sis__order_before(head->birth.fork);
}

/* from: the return address of the call that creates the task; NULL: it is executed in this call,
 * and the stack says where it was created. Field by field: the compiler copies a whole structure in
 * a loop, which takes longer than the rest of this function. Not inline, so that its registers are
 * not saved in the caller's frame. */
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

/* A taskloop's data begins with its bounds, then the reductions; libgomp reads them. */
static void head_start(struct task_head *head, const void *data, long size)
{
	size_t bytes = size < 0 ? 0 : (size_t)size;
	if (data)
		memcpy(head->start, data, bytes < sizeof head->start ? bytes : sizeof head->start);
}

/* Whether a task that this thread creates needs a head. It needs one to be measured, or to stay
 * unmeasured in whichever thread executes it. */
static bool needs_head(void)
{
	const struct sis_local *local = &sis__local;
	if (local->off && (!local->muted || SIS_OMP_REALLY(omp_get_num_threads)() == 1))
		return false;
	return !sis__omp_has_callbacks() && (sis__thread() || sis__team() || local->muted);
}

#define BLOCK_ALIGN 16 /* of alloca, at least */
_Static_assert(__BIGGEST_ALIGNMENT__ >= BLOCK_ALIGN,
	       "a block on the stack is aligned for any data of gcc's");
/* Room for a block in the caller's stack frame. It fits, since the data is on the stack already. */
#define BLOCK_ON_STACK(bytes, align)                                                       \
	((struct task_head *)round_up(                                                     \
		(size_t)__builtin_alloca((bytes) + ((align) > BLOCK_ALIGN ? (align) : 0)), \
		(align)))

/* Creating a task is no wait, so the source's region need not be timed. */
static struct sis_span create_begin(void)
{
	struct sis_thread *thread = sis__thread_direct();
	if (SIS_LIKELY(thread && sis__current_type(thread) == CR_OMPTASK))
		return (struct sis_span){ NULL, NULL };
	return sis__span_begin(RT_TASKCRE, CR_OMPTASK);
}

/* -- a task that is executed where it is created, because its if clause is false -----------------
 *
 * It is a call of a function, and programs create such tasks to avoid the cost of others. So the
 * budget turns them off, and with them the construct's region. Their time is the creator's then.
 */

static bool is_at_once(bool deferred, unsigned flags)
{
	return !deferred && !(flags & (GOMP_TASK_FLAG_DEPEND | GOMP_TASK_FLAG_DETACH));
}

static void note_at_once(uint32_t id)
{
	struct sis_region_fact *fact = (struct sis_region_fact *)sis__region_fact(id);
	if (SIS_UNLIKELY(!fact->at_once && fact != &sis__no_fact))
		__atomic_store_n(&fact->at_once, true, __ATOMIC_RELAXED); /* a hint */
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

/* A taskwait in the task may not end the creator's need to wait. */
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
 * levels deep. So this frame has little but the block. */
void GOMP_task SIS_P_TASK
{
	if (!needs_head()) {
		SIS_OMP_REALLY(GOMP_task) SIS_A_TASK;
		return;
	}
	if (is_at_once(deferred, flags)) {
		task_at_once(fn, data, copy, size, align, flags);
		return;
	}
	size_t whole_align = align > BLOCK_ALIGN ? (size_t)align : BLOCK_ALIGN;
	uint32_t offset = copy || deferred
				  ? (uint32_t)round_up(sizeof(struct task_head), whole_align)
				  : 0;
	/* libgomp copies so many bytes from here, unless there is a copy function */
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
			/* What libgomp does itself, but with the wait in a call of its own. */ \
			flags |= GOMP_TASK_FLAG_NOGROUP; \
			SIS_OMP_REALLY(GOMP_taskgroup_start)(); \
			name##_create SIS_A_##signature; \
			GOMP_taskgroup_end(); \
		} \
	}
TASKLOOP(GOMP_taskloop, long, TASKLOOP)
TASKLOOP(GOMP_taskloop_ull, sis_ull, TASKLOOP_ULL)

/* -- what a task costs: measured once, as a call of MPI is (mpi/mpi_cost.c) -------------------- */

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

static uint64_t quickest_round(unsigned tasks)
{
	enum { ROUNDS = 16 };
	uint64_t least = UINT64_MAX;
	for (int round = 0; round < ROUNDS; round++) {
		uint64_t begin = sis__ticks();
		for (unsigned i = 0; i < tasks; i++)
			empty_task(&scratch.thread);
		uint64_t ticks = sis__ticks() - begin;
		least = ticks < least ? ticks : least;
	}
	return least;
}

/* No signal handler may see the scratch thread. */
void sis__task_cost_note(void)
{
	enum { TASKS = 64 };
	struct sis__thread *self = sis__self;
	struct sis_thread *own = sis__local.own;
	sigset_t all, before;
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
	uint64_t ticks = quickest_round(TASKS);
	sis__local.own = own;
	sis__self = self;
	sis__signal_mask(SIG_SETMASK, &before, NULL);
	sis__text("task", "%.2f",
		  (double)ticks * 1e9 / (double)sis__header()->ticks_per_second / TASKS);
}
