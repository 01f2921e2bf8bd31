/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic.h - the communication matrix: which PU sent how much to which process, in which calls. */
#ifndef SIS_ANALYSIS_TRAFFIC_H
#define SIS_ANALYSIS_TRAFFIC_H

#include "experiment/model/experiment.h"

/* The process with this rank in `comm`, a communicator of `p`. NONE if the process left no profile,
 * or if the communicator has no such rank. */
uint32_t traffic_process(const struct experiment *x, const struct process *p,
			 const struct profile_comm *comm, int32_t rank);
/* Counts the record of a send to `rank` in its communicator or, if `rank` is -1, the record of a
 * collective operation. `number`: the number of the communicator in the run. Returns the index of
 * the row in x->match.traffic; NONE if the record was not counted. */
uint32_t traffic_add(const struct experiment *x, struct experiment_match *m,
		     const struct process *p, const struct profile_record *r,
		     const struct profile_comm *comm, uint32_t number, int32_t rank);
/* Counts the call that received a message which was counted in row `traffic`. */
void traffic_add_receive(struct experiment_match *m, uint32_t traffic, int64_t enter, int64_t exit);
/* Notes that the communicator is a window of one-sided communication. */
void traffic_is_of_window(struct experiment_match *m, uint32_t number);
/* Scales up the rows of a process whose log was full, to the number of calls in its call graph. */
void traffic_estimate(const struct experiment *x, struct experiment_match *m,
		      const struct process *p);
/* Computes the bytes of collective operations. Their records have none. Called after all rows were
 * added and estimated. */
void traffic_of_collectives(const struct experiment *x, struct experiment_match *m);

#endif
