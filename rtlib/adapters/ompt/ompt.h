/* SPDX-License-Identifier: BSD-3-Clause */
/* ompt.h - the part of OpenMP's tool interface (OMPT, chapter 19 of OpenMP 5.2) that the runtime
 * uses, and functions that the files of this folder share. The interface is declared here, because
 * only clang has the standard's header, omp-tools.h. The standard fixes the names and numbers of
 * the interface.
 */
#ifndef SIS_OMPT_H
#define SIS_OMPT_H

#include "adapters/omp/omp_team.h"

/* a word that libomp keeps for the tool, for each region, task and thread; 0 at first */
union sis_ompt_data {
	uint64_t value;
	void *ptr;
};

enum sis_ompt_callback {
	OMPT_THREAD_END = 2,
	OMPT_PARALLEL_BEGIN = 3,
	OMPT_PARALLEL_END = 4,
	OMPT_TASK_CREATE = 5,
	OMPT_TASK_SCHEDULE = 6,
	OMPT_IMPLICIT_TASK = 7,
	OMPT_DEVICE_INITIALIZE = 12,
	OMPT_SYNC_REGION_WAIT = 16,
	OMPT_WORK = 20,
	OMPT_MASKED = 21,
	OMPT_SYNC_REGION = 23,
	OMPT_MUTEX_ACQUIRE = 26,
	OMPT_MUTEX_ACQUIRED = 27,
	OMPT_NEST_LOCK = 28,
	OMPT_REDUCE = 31, /* the standard's ompt_callback_reduction */
	OMPT_TARGET_EMI = 33,
	OMPT_TARGET_DATA_OP_EMI = 34,
	OMPT_TARGET_SUBMIT_EMI = 35
};
enum sis_ompt_endpoint { OMPT_BEGIN = 1, OMPT_END = 2 };
enum sis_ompt_sync {
	OMPT_BARRIER = 1,
	OMPT_BARRIER_IMPLICIT = 2,
	OMPT_BARRIER_EXPLICIT = 3,
	OMPT_BARRIER_IMPLEMENTATION = 4,
	OMPT_TASKWAIT = 5,
	OMPT_TASKGROUP = 6,
	OMPT_REDUCTION = 7,
	OMPT_BARRIER_WORKSHARE = 8,
	OMPT_BARRIER_PARALLEL = 9,
	OMPT_BARRIER_TEAMS = 10
};
enum sis_ompt_work { OMPT_WORK_SECTIONS = 2, OMPT_WORK_SINGLE = 3 };
enum sis_ompt_mutex {
	OMPT_LOCK = 1,
	OMPT_TEST_LOCK = 2,
	OMPT_NESTED = 3,
	OMPT_TEST_NESTED = 4,
	OMPT_CRITICAL = 5,
	OMPT_ATOMIC = 6,
	OMPT_ORDERED = 7
};
enum sis_ompt_data_op { OMPT_DATA_TO_DEVICE = 2, OMPT_DATA_FROM_DEVICE = 3 };
enum sis_ompt_task_flag {
	OMPT_TASK_INITIAL = 0x1,
	OMPT_TASK_EXPLICIT = 0x4,
	OMPT_TASK_UNDEFERRED = 0x8000000,
	OMPT_TASK_UNTIED = 0x10000000
};
enum sis_ompt_task_status {
	OMPT_TASK_COMPLETE = 1,
	OMPT_TASK_YIELD = 2,
	OMPT_TASK_CANCEL = 3,
	OMPT_TASK_DETACH = 4,
	OMPT_TASK_SWITCH = 7
};

typedef void sis_ompt_function(void);
struct sis_ompt_tool { /* ompt_start_tool_result_t */
	int (*initialize)(sis_ompt_function *(*lookup)(const char *name), int device,
			  union sis_ompt_data *tool);
	void (*finalize)(union sis_ompt_data *tool);
	union sis_ompt_data tool;
};

/* libomp looks for this function when it starts. The function returns NULL if there is no tool. */
__attribute__((visibility("default"))) struct sis_ompt_tool *ompt_start_tool(unsigned version,
									     const char *runtime);

#pragma GCC visibility push(hidden)

/* The word of a measured explicit task is the address of its struct task. The word of a forking
 * thread's implicit task is the address of its region, with the mark OMPT_IMPLICIT. The word of the
 * initial task of a team in a league (teams construct) also has the mark OMPT_LEAGUE. */
enum { OMPT_IMPLICIT = 1, OMPT_LEAGUE = 2, OMPT_MARKS = 3 };
static inline union sis_ompt_data sis__ompt_implicit(struct sis_parallel *fork, bool league)
{
	return (union sis_ompt_data){ .value = (uintptr_t)fork | (fork ? OMPT_IMPLICIT : 0) |
					       (league ? OMPT_LEAGUE : 0) };
}
static inline struct sis_parallel *sis__ompt_implicit_of(const union sis_ompt_data *task)
{
	return task && task->value & OMPT_IMPLICIT
		       ? (void *)(uintptr_t)(task->value & ~(uint64_t)OMPT_MARKS)
		       : NULL;
}
static inline bool sis__ompt_is_league(const union sis_ompt_data *task)
{
	return task && !!(task->value & OMPT_LEAGUE);
}
static inline void *sis__ompt_explicit_of(const union sis_ompt_data *task)
{
	return task && !(task->value & OMPT_MARKS) ? task->ptr : NULL;
}

/* Callbacks, with the names of the standard. */
void sis__ompt_thread_end(union sis_ompt_data *thread);
void sis__ompt_parallel_begin(union sis_ompt_data *task, const void *frame,
			      union sis_ompt_data *parallel, unsigned threads, int flags,
			      const void *at);
void sis__ompt_parallel_end(union sis_ompt_data *parallel, union sis_ompt_data *task, int flags,
			    const void *at);
void sis__ompt_implicit_task(int endpoint, union sis_ompt_data *parallel, union sis_ompt_data *task,
			     unsigned size, unsigned number, int flags);
void sis__ompt_sync_region(int kind, int endpoint, union sis_ompt_data *parallel,
			   union sis_ompt_data *task, const void *at);
void sis__ompt_sync_region_wait(int kind, int endpoint, union sis_ompt_data *parallel,
				union sis_ompt_data *task, const void *at);
void sis__ompt_reduction(int kind, int endpoint, union sis_ompt_data *parallel,
			 union sis_ompt_data *task, const void *at);
void sis__ompt_work(int kind, int endpoint, union sis_ompt_data *parallel,
		    union sis_ompt_data *task, uint64_t count, const void *at);
void sis__ompt_masked(int endpoint, union sis_ompt_data *parallel, union sis_ompt_data *task,
		      const void *at);
void sis__ompt_mutex_acquire(int kind, unsigned hint, unsigned how, uint64_t mutex, const void *at);
void sis__ompt_mutex_acquired(int kind, uint64_t mutex, const void *at);
void sis__ompt_nest_lock(int endpoint, uint64_t mutex, const void *at);
void sis__ompt_task_create(union sis_ompt_data *creator, const void *frame,
			   union sis_ompt_data *task, int flags, int has_dependences,
			   const void *at);
void sis__ompt_task_schedule(union sis_ompt_data *prior, int status, union sis_ompt_data *next);
void sis__ompt_device_initialize(int device, const char *type, void *handle,
				 sis_ompt_function *(*lookup)(const char *name),
				 const char *documentation);
void sis__ompt_target(int kind, int endpoint, int device, union sis_ompt_data *task,
		      union sis_ompt_data *target_task, union sis_ompt_data *target,
		      const void *at);
void sis__ompt_target_data_op(int endpoint, union sis_ompt_data *target_task,
			      union sis_ompt_data *target, uint64_t *host_op, int op, void *from,
			      int from_device, void *to, int to_device, size_t bytes,
			      const void *at);
void sis__ompt_target_submit(int endpoint, union sis_ompt_data *target, uint64_t *host_op,
			     unsigned teams);

/* Keeps libomp's function ompt_get_task_info; NULL: libomp has none. */
void sis__ompt_set_task_info(sis_ompt_function *function);
/* The frame of libomp's function that calls the function of this thread's task; NULL: not known. */
const void *sis__ompt_task_frame(void);

/* Whether the return address `at` is in libomp, so that libomp itself made the call. */
bool sis__ompt_is_libomps(const void *at);
void sis__ompt_find_libomp(void *inside); /* called once; `inside`: any address in libomp */
/* Called at the end of this thread's part of a parallel region (ompt_team.c). */
void sis__ompt_arrive(struct sis_parallel *fork);
/* Sets the purpose for which the program calls libomp. RT_IBAR: a barrier; RT_COPYPRIV:
 * copyprivate; RT_LOCK: the test of a lock; 0: the call has ended. Returns the previous value. */
uint32_t sis__ompt_call_is(uint32_t id);
uint32_t sis__ompt_call(void); /* the last value */
/* This thread's number in the team whose region it is in, or was last in. */
unsigned sis__ompt_number(void);
/* Ends the wait that this thread is in, if the current node is the node of that wait. */
void sis__ompt_wait_end(uint32_t id);

/* Whether this thread is one of libomp's own, which execute target constructs with nowait. */
bool sis__ompt_is_helper(void);

/* The region that the source announced for the body of the tasks that are created next. */
uint32_t sis__ompt_body_announced(void);
/* Notes that this thread has copied a task of a taskloop. libomp will then report the copy as a new
 * task. `handle`: libomp's own pointer to the copy. */
void sis__ompt_copied(const void *handle, uint32_t body);

/* Blocks of SIS_BLOCK bytes for parallel regions and tasks (ompt_pool.c). sis__block_take returns a
 * block whose bytes are zero, or NULL if there is no memory. */
enum { SIS_BLOCK = 256 };
void *sis__block_take(void);
void sis__block_give(void *block);

#pragma GCC visibility pop
#endif
