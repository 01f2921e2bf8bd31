/* SPDX-License-Identifier: BSD-3-Clause */
/* phases.h - the phases and calls of a process. The runtime reads the call graph from time to time
 * (rtlib/adapters/mpi/mpi_phase.c). A phase is the time between two readings. It is known in which
 * nodes a thread was during a phase, but not when. The longer calls of MPI are recorded one by
 * one. */
#ifndef SIS_ANALYSIS_PHASES_H
#define SIS_ANALYSIS_PHASES_H

#include "experiment/model/experiment.h"

struct phase_span {
	uint32_t slot;
	int64_t begin, end;
	int64_t outside_ns; /* the part outside of calls of MPI; causes/interval.c computes it */
	const struct profile_record *record;
};
typedef VEC(struct phase_span) phase_spans;

/* Lists all phases of the process, by slot and time, without overlap. The caller frees the list. */
phase_spans phases_list(const struct process *p);
/* The index of the first phase of the slot that ends after `time`; if there is none, of the first
 * phase of a later slot. */
size_t phases_find(const phase_spans *phases, uint32_t slot, int64_t time);
/* The index of the first call of the slot that ends after `time`; if there is none, of the first
 * call of a later slot. */
size_t calls_find(const calls *list, uint32_t slot, int64_t time);
/* The time of an entry of the phase. It is never longer than the phase, even in a damaged file. */
int64_t phase_entry_ns(const struct process *p, const struct phase_span *phase,
		       const struct profile_phase *entry);

#endif
