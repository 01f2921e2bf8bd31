/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_off.h - calls of MPI that are not measured. The thread that calls.
 *
 * A wrapper looks first whether its thread is measured (sis__off). If it is not, most wrappers go
 * on to PMPI at once, without a stack frame of their own:
 *
 *     nothing to do        messages, probes, one-sided transfers, questions
 *     nothing unless       requests, persistent requests, matched messages: only while the table
 *     something is known   has any. So a program whose measurement was never on pays nothing
 *     a little, always     the serial of a collective, a message that a matched probe took
 *
 * All other routines take the general path (mpi_call.h): those that make and free communicators,
 * windows and persistent requests, and those that the MPI library may implement by calls of MPI
 * (files, processes).
 *
 * SIS_FILTER turns off calls that only ask. If such a call finds something, its end is measured.
 * All other calls stay measured: the analyzer needs both sides of messages, collectives and
 * synchronization.
 * LIMIT: such a call from code that sisc did not compile is off, too, if the filter turns off any
 * call of its routine.
 * LIMIT: a process that traces measures them all.
 */
#ifndef SIS_MPI_OFF_H
#define SIS_MPI_OFF_H

#include "core/routine_off.h"
#include "mpi/mpi_fast_path.h"

/* Whether the call is made inside another one, in which case it changes nothing. One that was left
 * by a jump is over. */
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

/* Whether SIS_FILTER turned this call off. A site would have announced it otherwise. */
SIS_QUICK bool sis__mpi_is_excluded(uint32_t routine)
{
	const struct sis_thread *thread = (const struct sis_thread *)sis__self;
	return SIS_UNLIKELY(thread->sites == 0) && sis__routine_off[routine];
}

#endif
