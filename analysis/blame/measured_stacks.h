/* SPDX-License-Identifier: BSD-3-Clause */
/* measured_stacks.h - times that were measured in calls, as placed stacks: so the engine divides
 * them among variables as it divides samples. No samples are needed.
 *
 *      node of the call graph        stack
 *      main > loop@12 > solve >      the call of MPI_Recv in solve,
 *      MPI_Recv                      the call of solve in main, in the lines of the loop
 *
 * The stacks of a processing unit and measure have a slot of their own, by which the rows of the
 * result are told apart. */
#ifndef SIS_ANALYSIS_MEASURED_STACKS_H
#define SIS_ANALYSIS_MEASURED_STACKS_H

#include "flow/program.h"
#include "model/experiment.h"
#include "place/place.h"

enum measure { MEASURED_NS, MEASURED_BYTES, MEASURED_CALLS };

struct measured_key { uint32_t pu; enum sis_overhead leaf; enum measure measure; };

struct measured_stacks {
	struct placed placed;            /* stack.slot: index of `key` */
	VEC(struct measured_key) key;
	uint64_t scale;                  /* nanoseconds or bytes that count as one */
	int64_t ns, lost_ns;             /* of all such calls; of those without a known statement */
};

/* Overheads of waiting and communication in calls that the program's graphs have. */
void measured_stacks_make(struct measured_stacks *m, const struct experiment *x,
			  const struct flow_program *program);
void measured_stacks_release(struct measured_stacks *m);

#endif
