/* SPDX-License-Identifier: BSD-3-Clause */
/* poll_times.h - the time between polls of MPI in which the program did nothing but poll. */
#ifndef SIS_ANALYSIS_POLL_TIMES_H
#define SIS_ANALYSIS_POLL_TIMES_H

#include "experiment/model/experiment.h"

static inline bool is_polls(const struct profile_record *r)
{
	return r->kind == SIS_RECORD_POLLS ||
		((r->kind == SIS_RECORD_PROBE || r->kind == SIS_RECORD_WAIT) &&
		 r->flags & SIS_RECORD_POLL);
}

/* Whether the thread was still polling at its last sign of life. */
bool polls_are_open(const struct process *p, const struct profile_polls *polls);

/* Moves the time between polls from the nodes around the polls to the nodes of the polls, in the
 * process's times and in its phases. Fills process.between_ns. */
void poll_times_move(struct process *process);

#endif
