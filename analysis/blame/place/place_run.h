/* SPDX-License-Identifier: BSD-3-Clause */
/* place_run.h - places the samples of a run. */
#ifndef SIS_ANALYSIS_PLACE_RUN_H
#define SIS_ANALYSIS_PLACE_RUN_H

#include "blame/flow/program.h"
#include "experiment/model/experiment.h"
#include "blame/place/placed_memory.h"
#include "experiment/read/stacks_read.h"

/* The samples of one process. `process` is an index into experiment.model.process, or NONE. */
struct place_process { const struct stacks *stacks; uint32_t process; };

/* Places all samples, and the memory that they access. `process` has the samples that were added to
 * x->run.modules, in this order. The caller releases `placed` and `memory`. */
void place_run(struct placed *placed, struct placed_memory *memory, const struct experiment *x,
	       const struct flow_program *program, const struct place_process *process,
	       size_t processes);

#endif
