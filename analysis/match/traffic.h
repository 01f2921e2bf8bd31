/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic.h - who sent how much to whom, from where. */
#ifndef SIS_ANALYSIS_TRAFFIC_H
#define SIS_ANALYSIS_TRAFFIC_H

#include "model/experiment.h"

/* The process that has a rank in the communicator of the process; NONE: it left no profile, or the
 * rank is none. */
uint32_t traffic_process(const struct experiment *x, const struct process *p,
			 const struct profile_comm *comm, int32_t rank);
/* Counts a record of a send to `rank` in its communicator, or of a collective operation (rank -1).
 * `number`: of the communicator in the run. Returns its index in x->match.traffic; NONE: not
 * counted. */
uint32_t traffic_add(const struct experiment *x, struct experiment_match *m,
		     const struct process *p, const struct profile_record *r,
		     const struct profile_comm *comm, uint32_t number, int32_t rank);
/* Counts the call that received what was counted as `traffic`. */
void traffic_add_receive(struct experiment_match *m, uint32_t traffic, int64_t enter, int64_t exit);
/* The communicator is a window of one-sided communication. */
void traffic_is_of_window(struct experiment_match *m, uint32_t number);
/* Of a process whose log was full: what it did at each place is taken to be like what was kept. */
void traffic_estimate(const struct experiment *x, struct experiment_match *m,
		      const struct process *p);
/* Gives collective operations their bytes, which no record has. After all that was added and
 * estimated. */
void traffic_of_collectives(const struct experiment *x, struct experiment_match *m);

#endif
