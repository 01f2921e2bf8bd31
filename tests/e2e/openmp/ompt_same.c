/* ompt_same.c - compiles if the runtime declares the interface of tools as the standard does. */
#include <omp-tools.h>
#define ompt_start_tool another_name
#include "adapters/ompt/ompt.h"
#define SAME(ours, theirs) _Static_assert((int)ours == (int)theirs, #ours)
SAME(OMPT_THREAD_END, ompt_callback_thread_end);
SAME(OMPT_PARALLEL_BEGIN, ompt_callback_parallel_begin);
SAME(OMPT_PARALLEL_END, ompt_callback_parallel_end);
SAME(OMPT_TASK_CREATE, ompt_callback_task_create);
SAME(OMPT_TASK_SCHEDULE, ompt_callback_task_schedule);
SAME(OMPT_IMPLICIT_TASK, ompt_callback_implicit_task);
SAME(OMPT_SYNC_REGION_WAIT, ompt_callback_sync_region_wait);
SAME(OMPT_WORK, ompt_callback_work);
SAME(OMPT_MASKED, ompt_callback_masked);
SAME(OMPT_SYNC_REGION, ompt_callback_sync_region);
SAME(OMPT_MUTEX_ACQUIRE, ompt_callback_mutex_acquire);
SAME(OMPT_MUTEX_ACQUIRED, ompt_callback_mutex_acquired);
SAME(OMPT_NEST_LOCK, ompt_callback_nest_lock);
SAME(OMPT_BEGIN, ompt_scope_begin);
SAME(OMPT_END, ompt_scope_end);
SAME(OMPT_BARRIER_EXPLICIT, ompt_sync_region_barrier_explicit);
SAME(OMPT_BARRIER_IMPLEMENTATION, ompt_sync_region_barrier_implementation);
SAME(OMPT_TASKWAIT, ompt_sync_region_taskwait);
SAME(OMPT_TASKGROUP, ompt_sync_region_taskgroup);
SAME(OMPT_REDUCTION, ompt_sync_region_reduction);
SAME(OMPT_BARRIER_PARALLEL, ompt_sync_region_barrier_implicit_parallel);
SAME(OMPT_BARRIER_TEAMS, ompt_sync_region_barrier_teams);
SAME(OMPT_WORK_SECTIONS, ompt_work_sections);
SAME(OMPT_WORK_SINGLE, ompt_work_single_executor);
SAME(OMPT_LOCK, ompt_mutex_lock);
SAME(OMPT_NESTED, ompt_mutex_nest_lock);
SAME(OMPT_CRITICAL, ompt_mutex_critical);
SAME(OMPT_ATOMIC, ompt_mutex_atomic);
SAME(OMPT_ORDERED, ompt_mutex_ordered);
SAME(OMPT_TASK_INITIAL, ompt_task_initial);
SAME(OMPT_TASK_EXPLICIT, ompt_task_explicit);
SAME(OMPT_TASK_UNDEFERRED, ompt_task_undeferred);
SAME(OMPT_TASK_UNTIED, ompt_task_untied);
SAME(OMPT_TASK_COMPLETE, ompt_task_complete);
SAME(OMPT_TASK_CANCEL, ompt_task_cancel);
SAME(OMPT_TASK_DETACH, ompt_task_detach);
SAME(OMPT_TASK_SWITCH, ompt_task_switch);
_Static_assert(sizeof(struct sis_ompt_tool) == sizeof(ompt_start_tool_result_t), "tool");
