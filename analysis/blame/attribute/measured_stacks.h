/* SPDX-License-Identifier: BSD-3-Clause */
/* measured_stacks.h - makes placed stacks of the times that were measured in calls. Then blame.c
 * can divide these times among variables as it divides samples. No samples are needed.
 *
 *      node of the call graph        stack
 *      main > loop@12 > solve >      the call of MPI_Recv in solve,
 *      MPI_Recv                      the call of solve in main, in the lines of the loop
 *
 *      main > parallel for >         the directive in main, with the variables of its reductions
 *      implicit barrier
 *
 * Each struct measured_key has a slot of its own, so that each row of the result belongs to one
 * key. */
#ifndef SIS_ANALYSIS_MEASURED_STACKS_H
#define SIS_ANALYSIS_MEASURED_STACKS_H

#include "blame/flow/program.h"
#include "experiment/model/experiment.h"
#include "blame/place/place.h"

enum measure { MEASURED_NS, MEASURED_BYTES, MEASURED_CALLS };

struct measured_key { uint32_t pu; enum sis_overhead leaf; enum measure measure; };

struct measured_stacks {
	struct placed placed;            /* stack.slot is an index of `key` */
	VEC(struct measured_key) key;
	uint64_t scale;                  /* nanoseconds or bytes that count as one sample */
	uint64_t unknown_ns;             /* time of calls in functions that are not analysed */
	char *doubt;                     /* a sentence for the user that names these functions;
	                                  * NULL: there are none */
};

/* Makes stacks for all overheads. Overheads of calls that wait or communicate belong to the
 * variables of the call, overheads of reductions to the variables of the reduction. All other
 * overheads belong to no variable. They are shown at their construct or call, or else at the
 * outermost function. */
void measured_stacks_make(struct measured_stacks *m, const struct experiment *x,
			  const struct flow_program *program);
void measured_stacks_release(struct measured_stacks *m);

#endif
