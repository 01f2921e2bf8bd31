/* SPDX-License-Identifier: BSD-3-Clause */
/* ompt.c - registers the callbacks of libomp's tool interface (OMPT). Called by libomp when the
 * program first uses OpenMP.
 *
 * The idea: libomp finds ompt_start_tool in libsis.so. The callbacks feed the same model as the
 * interposed functions of libgomp (omp_team.h): teams in ompt_team.c, waits in ompt_wait.c, tasks
 * in ompt_task.c. Devices have no part in this model (ompt_target.c). Functions without callbacks
 * are interposed (kmp_entry.def). The interface allows one tool. If the program has another tool,
 * or OMP_TOOL_LIBRARIES names one, or OMP_TOOL=disabled is set, the runtime is not the tool. Then a
 * text in the experiment says that the time of OpenMP itself is missing.
 */
#include "output/profile/text.h"
#include "process/start.h"
#include "adapters/ompt/ompt.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <strings.h>

static bool asked; /* libomp has asked for a tool */

typedef int set_callback(int event, sis_ompt_function *callback);

static const struct { int event; sis_ompt_function *callback; } callbacks[] = {
	{ OMPT_THREAD_END, (sis_ompt_function *)sis__ompt_thread_end },
	{ OMPT_PARALLEL_BEGIN, (sis_ompt_function *)sis__ompt_parallel_begin },
	{ OMPT_PARALLEL_END, (sis_ompt_function *)sis__ompt_parallel_end },
	{ OMPT_IMPLICIT_TASK, (sis_ompt_function *)sis__ompt_implicit_task },
	{ OMPT_TASK_CREATE, (sis_ompt_function *)sis__ompt_task_create },
	{ OMPT_TASK_SCHEDULE, (sis_ompt_function *)sis__ompt_task_schedule },
	{ OMPT_SYNC_REGION, (sis_ompt_function *)sis__ompt_sync_region },
	{ OMPT_SYNC_REGION_WAIT, (sis_ompt_function *)sis__ompt_sync_region_wait },
	{ OMPT_WORK, (sis_ompt_function *)sis__ompt_work },
	{ OMPT_MASKED, (sis_ompt_function *)sis__ompt_masked },
	{ OMPT_MUTEX_ACQUIRE, (sis_ompt_function *)sis__ompt_mutex_acquire },
	{ OMPT_MUTEX_ACQUIRED, (sis_ompt_function *)sis__ompt_mutex_acquired },
	{ OMPT_NEST_LOCK, (sis_ompt_function *)sis__ompt_nest_lock },
	{ OMPT_REDUCE, (sis_ompt_function *)sis__ompt_reduction },
	{ OMPT_DEVICE_INITIALIZE, (sis_ompt_function *)sis__ompt_device_initialize },
	{ OMPT_TARGET_EMI, (sis_ompt_function *)sis__ompt_target },
	{ OMPT_TARGET_DATA_OP_EMI, (sis_ompt_function *)sis__ompt_target_data_op },
	{ OMPT_TARGET_SUBMIT_EMI, (sis_ompt_function *)sis__ompt_target_submit },
};

static int initialize(sis_ompt_function *(*lookup)(const char *name), int device,
		      union sis_ompt_data *tool)
{
	(void)device, (void)tool;
	set_callback *set = (set_callback *)lookup("ompt_set_callback");
	if (!set)
		return 0;
	sis__ompt_set_task_info(lookup("ompt_get_task_info"));
	for (unsigned i = 0; i < sizeof callbacks / sizeof callbacks[0]; i++)
		set(callbacks[i].event, callbacks[i].callback);
	sis__ompt_find_libomp(*(void **)&lookup);
	__atomic_store_n(&sis__ompt_on, true, __ATOMIC_RELAXED);
	return 1;
}

/* libomp calls this at the end of the process, or when OpenMP is paused. In the second case libomp
 * asks for tools again when it starts again. */
static void finalize(union sis_ompt_data *tool)
{
	(void)tool;
	__atomic_store_n(&sis__ompt_on, false, __ATOMIC_RELAXED);
}

/* Writes a warning to the experiment. The warning is not printed, because the user chose the other
 * tool. */
static void note(const char *why)
{
	sis__text_once(
		"warning",
		"what OpenMP itself spends is not measured, forks, barriers, tasks: its tool "
		"interface is "
		"not ours (%s)",
		why);
}

typedef struct sis_ompt_tool *start_tool(unsigned version, const char *runtime);

struct sis_ompt_tool *ompt_start_tool(unsigned version, const char *runtime)
{
	static struct sis_ompt_tool ours = { .initialize = initialize, .finalize = finalize };
	start_tool *next = NULL;
	*(void **)&next = dlsym(RTLD_NEXT, "ompt_start_tool"); /* libomp's own looks for tools */
	struct sis_ompt_tool *other = next ? next(version, runtime) : NULL;
	const char *libraries = getenv("OMP_TOOL_LIBRARIES");
	sis__start();
	asked = true;
	if (!sis__config.enabled)
		return other;
	if (other || (libraries && *libraries)) {
		note(other ? "the program has a tool of its own"
			   : "OMP_TOOL_LIBRARIES names another tool");
		return other;
	}
	return &ours;
}

/* At the end of the process: if libomp never asked for this tool, says why. */
__attribute__((destructor(102))) static void explain(void)
{
	if (asked || !sis__in_this_process() || !sis__store_is_live() ||
	    !dlsym(RTLD_DEFAULT, "__kmpc_fork_call"))
		return;
	const char *tool = getenv("OMP_TOOL");
	if (tool && strcasecmp(tool, "disabled") == 0)
		note("OMP_TOOL=disabled");
	else if (dlsym(RTLD_DEFAULT, "ompt_start_tool") != (void *)ompt_start_tool)
		note("the program has a tool of its own");
}
