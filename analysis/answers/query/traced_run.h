/* SPDX-License-Identifier: BSD-3-Clause */
/* traced_run.h - the files of a stored experiment that has traces: its model, its traces, and the
 * rows of the repository that nodes and processing units of the model correspond to. */
#ifndef SIS_ANALYSIS_TRACED_RUN_H
#define SIS_ANALYSIS_TRACED_RUN_H

#include "experiment/model/experiment.h"
#include "experiment/read/trace_files.h"
#include "repository/database/repository.h"

struct traced_run {
	struct experiment x;     /* only its model: nothing is matched or classified yet */
	struct traces traces;
	VEC(int64_t) node;       /* drg_node.id of each node; 0: the repository has no such node */
	VEC(int64_t) pu;         /* processing_unit.id of each processing unit; 0: no such unit */
};

/* Opens the files of an experiment. `command` is named in errors. An experiment without a trace is
 * an error. */
int traced_run_open(struct traced_run *run, struct repo *repo, int64_t experiment,
		    const char *command, struct err *err);
void traced_run_release(struct traced_run *run);
/* Cuts off the part of an interval that is after the end of the run. *to_ns < 0 stands for the end
 * of the run. An interval that begins after the end of the run is an error. */
int traced_run_clip(const struct traced_run *run, int64_t from_ns, int64_t *to_ns,
		    const char *command, struct err *err);
/* To be called after the traces were read: says on stderr which events are missing. `unknown`:
 * number of traces without a profile. */
void traced_run_warn(const struct traced_run *run, uint64_t unknown);
/* Whether the experiment's directory has a trace that can be read. */
bool traced_run_exists(struct repo *repo, int64_t experiment);

#endif
