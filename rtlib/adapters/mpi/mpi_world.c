/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_world.c - the start and the end of MPI, and MPI_Pcontrol: the wrappers that fit no rule.
 * Called by the thread that calls MPI.
 */
#include <stdatomic.h>

#include "output/run/run.h"
#include "process/fatal_signal.h"
#include "process/no_processor.h"
#include "process/process.h"
#include "adapters/mpi/mpi_call.h"

#include "adapters/user_api/user_api.h"

/* Sends no message and waits for no process, because some processes may not be measured. */
static void initialized(struct sis_mpi_call *call)
{
	int provided = MPI_THREAD_MULTIPLE, rank = 0, size = 1;
	MPI_Group group;
	PMPI_Query_thread(&provided);
	sis__mpi_threads = provided == MPI_THREAD_MULTIPLE;
	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &size);
	PMPI_Comm_group(MPI_COMM_WORLD, &group);
	if (sis__mpi_comm_world(group, rank, size, true))
		sis__run_rank(rank, size);
	if (call->thread)
		sis__mpi_cost_note();
	sis__mpi_unify_begin(rank, size);
	sis__mpi_end(call);
	sis__mpi_record(call,
			(struct sis_record){ .kind = SIS_RECORD_INIT, .peer = -1, .tag = -1 });
	sis__mpi_phase_begin(call);
}

/* MPI_Init installs handlers only for signals that have their default actions. So the runtime
 * removes its own handlers during MPI_Init. Afterwards the handlers of MPI are called after those
 * of the runtime. */
static bool begin_init(struct sis_mpi_call *call, uint32_t routine)
{
	sis__mpi_begin(call, routine);
	return sis__fatal_signals_release();
}

static void end_init(struct sis_mpi_call *call, int code, bool caught)
{
	if (caught)
		sis__fatal_signals_catch();
	if (code == MPI_SUCCESS && !call->nested)
		initialized(call);
	else
		sis__mpi_end(call);
	if (call->thread)
		sis__no_processor_last(call->thread, 0);
}

SIS_EXPORT int MPI_Init(int *argc, char ***argv)
{
	struct sis_mpi_call call;
	bool caught = begin_init(&call, SIS_ROUTINE_MPI_Init);
	int code = PMPI_Init(argc, argv);
	end_init(&call, code, caught);
	return code;
}

SIS_EXPORT int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
	struct sis_mpi_call call;
	bool caught = begin_init(&call, SIS_ROUTINE_MPI_Init_thread);
	int code = PMPI_Init_thread(argc, argv, required, provided);
	end_init(&call, code, caught);
	return code;
}

/* The record is written before the call, because the process may not return from it. */
SIS_EXPORT int MPI_Finalize(void)
{
	struct sis_mpi_call call;
	sis__mpi_begin_collective(&call, SIS_ROUTINE_MPI_Finalize);
	if (call.thread)
		sis__no_processor_look(call.thread, 0, call.enter);
	struct sis_record *record = call.thread ? sis__record(call.thread, 0) : NULL;
	if (record) {
		*record = (struct sis_record){ .kind = SIS_RECORD_FINALIZE, .enter = call.enter,
			.exit = call.enter,
					       .node = call.node, .peer = -1, .tag = -1 };
		sis__record_commit(call.thread);
	}
	sis__mpi_comm_end();
	int code = PMPI_Finalize();
	sis__mpi_end(&call);
	if (record)
		record->exit = call.exit;
	return code;
}

SIS_EXPORT int MPI_Abort(MPI_Comm comm, int errorcode)
{
	struct sis_mpi_call call;
	sis__mpi_begin(&call, SIS_ROUTINE_MPI_Abort);
	sis__process_state(SIS_STATE_ABORTED, errorcode);
	int code = PMPI_Abort(comm, errorcode);
	sis__mpi_end(&call);
	return code;
}

/* Level 0 pauses the measurement of this thread; repeating it changes nothing. Any other level
 * resumes the measurement. */
SIS_EXPORT int MPI_Pcontrol(const int level, ...)
{
	static __thread bool paused __attribute__((tls_model("initial-exec")));
	if ((level == 0) != paused) {
		paused = level == 0;
		if (paused)
			sis__pause_for(SIS_CAUSE_PCONTROL);
		else
			sis_hand_resume();
	}
	return PMPI_Pcontrol(level);
}

#if MPI_VERSION >= 4
static _Atomic int sessions; /* number of open ones */

/* A program that uses sessions may never call MPI_Init. So the rank in the world is taken from the
 * session. */
void sis__mpi_session(MPI_Session session)
{
	int rank = 0, size = 1;
	MPI_Group group = MPI_GROUP_NULL;
	if (PMPI_Group_from_session_pset(session, "mpi://WORLD", &group) != MPI_SUCCESS)
		return;
	PMPI_Group_rank(group, &rank);
	PMPI_Group_size(group, &size);
	atomic_fetch_add_explicit(&sessions, 1, memory_order_relaxed);
	if (sis__mpi_comm_world(group, rank, size, false))
		sis__run_rank(rank, size);
}

SIS_EXPORT int MPI_Session_finalize(MPI_Session *session)
{
	struct sis_mpi_call call;
	int initialized = 0;
	sis__mpi_begin(&call, SIS_ROUTINE_MPI_Session_finalize);
	PMPI_Initialized(&initialized);
	if (atomic_fetch_sub_explicit(&sessions, 1, memory_order_relaxed) == 1 && !initialized)
		sis__mpi_comm_end();
	int code = PMPI_Session_finalize(session);
	sis__mpi_end(&call);
	return code;
}
#endif
