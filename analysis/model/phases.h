/* SPDX-License-Identifier: BSD-3-Clause */
/* phases.h - the phases and calls of a process that was not traced. The runtime reads the call
 * graph at intervals (rtlib/mpi/mpi_phase.c). Between two readings it is known in which nodes a
 * thread was, but not when. The longer calls of MPI are known one by one. */
#ifndef SIS_ANALYSIS_PHASES_H
#define SIS_ANALYSIS_PHASES_H

#include "model/experiment.h"

struct phase_span {
	uint32_t slot;
	int64_t begin, end;
	int64_t outside_ns; /* the part outside of calls of MPI; filled by causes/interval.c */
	const struct profile_record *record;
};
typedef VEC(struct phase_span) phase_spans;

/* All of the process, by slot and time; none overlaps another one. The caller frees the list. */
phase_spans phases_list(const struct process *p);
/* The first phase of the slot that ends after `time`, or what follows its phases. */
size_t phases_find(const phase_spans *phases, uint32_t slot, int64_t time);
/* Of the slot's calls, the first that ends after `time`, or what follows them. */
size_t calls_find(const calls *list, uint32_t slot, int64_t time);
/* The time of an entry of the phase; never longer than the phase, even in a damaged file. */
int64_t phase_entry_ns(const struct process *p, const struct phase_span *phase,
		       const struct profile_phase *entry);

#endif
