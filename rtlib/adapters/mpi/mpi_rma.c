/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_rma.c - one-sided communication: records of transfers, and of the synchronization that is not
 * a fence. Called by the wrapper's thread after its call has ended.
 *
 * Some MPI libraries wait in start, others in complete; some wait in lock, others in flush or
 * unlock. So each call records its times and its partners. From these the analysis computes which
 * calls could not return before the other side came.
 * LIMIT: if no wrapper has seen a window being made, its members are not known. Then its calls are
 * timed, but not matched.
 */
#include <errno.h>
#include <stdlib.h>

#include "adapters/mpi/mpi_poll.h"

enum { FEW = 64 }; /* for a group of at most this many members, the heap is not used */

static void record(struct sis_mpi_call *call, enum sis_record_kind kind,
		   const struct sis_mpi_comm *window, int peer, uint64_t bytes, unsigned flags)
{
	sis__mpi_record(call, (struct sis_record){ .kind = (uint16_t)kind,
						   .comm = window->id,
						   .peer = peer,
						   .tag = -1,
						   .bytes = bytes,
						   .flags = (uint16_t)flags });
}

void sis__mpi_rma(struct sis_mpi_call *call, enum sis_record_kind kind, MPI_Count count,
		  MPI_Datatype type, int target, MPI_Win win)
{
	const struct sis_mpi_comm *window = sis__mpi_win(win);
	if (window && target != MPI_PROC_NULL)
		record(call, kind, window, target, sis__mpi_bytes(count, type), 0);
}

void sis__mpi_epoch(struct sis_mpi_call *call, enum sis_record_kind kind, unsigned flags,
		    MPI_Win win)
{
	const struct sis_mpi_comm *window = sis__mpi_win(win);
	if (window)
		record(call, kind, window, -1, 0, flags);
}

void sis__mpi_epoch_at(struct sis_mpi_call *call, enum sis_record_kind kind, int target,
		       unsigned flags, MPI_Win win)
{
	const struct sis_mpi_comm *window = sis__mpi_win(win);
	if (window && target != MPI_PROC_NULL)
		record(call, kind, window, target, 0, flags);
}

/* The key of polls for a window; no request has it. */
#define WINDOW_KEY(win) (SIS_KEY(win) << 1 | 1)

/* LIMIT: tests in vain before a wait are not counted as part of the wait. */
void sis__mpi_win_wait(struct sis_mpi_call *call, MPI_Win win)
{
	struct sis_polls taken[SIS_POLL_WAYS];
	if (sis__mpi_may_have_polls(WINDOW_KEY(win)))
		sis__mpi_polls_take(call, WINDOW_KEY(win), taken);
	sis__mpi_epoch(call, SIS_RECORD_WAIT, 0, win);
}

void sis__mpi_win_test(struct sis_mpi_call *call, int done, MPI_Win win)
{
	const struct sis_mpi_comm *window = done ? sis__mpi_win(win) : NULL;
	if (!done)
		sis__mpi_polled(call, WINDOW_KEY(win));
	else if (window)
		sis__mpi_win_passed(call, WINDOW_KEY(win), window->id);
}

void sis__mpi_win_lock(struct sis_mpi_call *call, int type, int target, MPI_Win win)
{
	sis__mpi_epoch_at(call, SIS_RECORD_LOCK, target,
			  type == MPI_LOCK_SHARED ? SIS_RECORD_SHARED : 0, win);
}

/* Finds the ranks that a group's members have in the window; `here` has room for 2 * size numbers.
 */
static bool ranks_in(MPI_Win win, MPI_Group group, int size, int *here)
{
	MPI_Group all;
	for (int i = 0; i < size; i++)
		here[i] = i;
	if (PMPI_Win_get_group(win, &all) != MPI_SUCCESS)
		return false;
	bool done = PMPI_Group_translate_ranks(group, size, here, all, here + size) == MPI_SUCCESS;
	PMPI_Group_free(&all);
	return done;
}

void sis__mpi_epoch_of(struct sis_mpi_call *call, enum sis_record_kind kind, MPI_Group group,
		       MPI_Win win)
{
	const struct sis_mpi_comm *window = sis__mpi_win(win);
	int few[2 * FEW], size = 0, error = errno;
	if (!window || PMPI_Group_size(group, &size) != MPI_SUCCESS || size <= 0)
		return;
	int *ranks = size <= FEW ? few : malloc(2 * (size_t)size * sizeof *ranks);
	if (ranks && ranks_in(win, group, size, ranks))
		for (int i = 0; i < size; i++)
			record(call, kind, window, ranks[size + i], 0, 0);
	if (ranks != few)
		free(ranks);
	errno = error;
}
