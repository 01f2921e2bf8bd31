/* SPDX-License-Identifier: BSD-3-Clause */
/* traced_run.h - the files of a stored experiment that has traces: its model and its traces, and
 * the rows that they are in the repository. */
#ifndef SIS_ANALYSIS_TRACED_RUN_H
#define SIS_ANALYSIS_TRACED_RUN_H

#include "model/experiment.h"
#include "read/trace_files.h"
#include "repository/repository.h"

struct traced_run {
	struct experiment x;     /* its model only: nothing is matched or classified */
	struct traces traces;
	VEC(int64_t) node;       /* drg_node.id of each node; 0: the repository has no such node */
	VEC(int64_t) pu;         /* processing_unit.id of each processing unit; 0 likewise */
};

/* Opens them for a command, whose name is in errors. An experiment without a trace is an error. */
int traced_run_open(struct traced_run *run, struct repo *repo, int64_t experiment,
		    const char *command, struct err *err);
void traced_run_release(struct traced_run *run);
/* Cuts an interval at the end of the run; before, to_ns < 0 is its end. One that begins after it is
 * an error. */
int traced_run_clip(const struct traced_run *run, int64_t from_ns, int64_t *to_ns,
		    const char *command, struct err *err);
/* Says on stderr which events are missing, after the traces were read. `unknown`: traces without a
 * profile. */
void traced_run_warn(const struct traced_run *run, uint64_t unknown);
/* Whether the experiment's directory has a trace that can be read. */
bool traced_run_exists(struct repo *repo, int64_t experiment);

#endif
