/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_off.h - calls of MPI that are not measured. Called by the thread that calls MPI.
 *
 * A wrapper first tests whether its thread is measured (sis__off). If not, most wrappers jump to
 * PMPI, without a stack frame of their own. What they do before the jump depends on the routine:
 *
 *     nothing              messages, probes, one-sided transfers, calls that only ask
 *     nothing, unless      requests, persistent requests, matched messages: only those that are in
 *     something is known   the table need work. If nothing was measured, the table is empty
 *     a little, always     count a collective's serial, note a message that a matched probe took
 *
 * All other routines take the general path (mpi_call.h): those that make and free communicators,
 * windows and persistent requests, and those that the MPI library may implement by calls of MPI
 * (files, processes).
 *
 * SIS_FILTER can turn off only calls that ask. If a poll that is off finds something, its end is
 * measured. All other calls stay measured, because the analyzer needs both sides of messages,
 * collectives and synchronization.
 * LIMIT: if the filter turns off any call of a routine that only asks, it also turns off calls of
 * this routine from code that sisc did not compile.
 * LIMIT: in a process that traces, all these calls are measured.
 */
#ifndef SIS_MPI_OFF_H
#define SIS_MPI_OFF_H

#include "measure/core/routine_off.h"
#include "adapters/mpi/mpi_fast_path.h"

/* Whether the call is made inside another call of MPI, and so is ignored. If the outer call was
 * left by a jump, notes that it has ended. */
SIS_QUICK bool sis__mpi_is_nested(uintptr_t frame)
{
	uintptr_t outer = sis__mpi_outermost.frame;
	if (SIS_LIKELY(outer == 0))
		return false;
	if (outer <= frame)
		sis__mpi_outermost.frame = 0;
	return outer > frame;
}

SIS_QUICK bool sis__mpi_knows_requests(void)
{
	return atomic_load_explicit(&sis__mpi_tracked, memory_order_relaxed) != 0;
}
SIS_QUICK bool sis__mpi_knows_request(MPI_Request request)
{
	return sis__mpi_knows_requests() || sis__mpi_may_have_polls(SIS_KEY(request));
}
SIS_QUICK bool sis__mpi_knows_batch(const MPI_Request *requests)
{
	return sis__mpi_knows_requests() || sis__mpi_may_have_polls(SIS_BATCH_KEY(requests));
}

/* Whether SIS_FILTER turned this call off: then no site has announced the call. */
SIS_QUICK bool sis__mpi_is_excluded(uint32_t routine)
{
	const struct sis_thread *thread = (const struct sis_thread *)sis__self;
	return SIS_UNLIKELY(thread->sites == 0) && sis__routine_off[routine];
}

#endif
