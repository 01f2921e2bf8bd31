/* SPDX-License-Identifier: BSD-3-Clause */
/* collect.h - moves what killed processes left in directories of this host (SIS_TMPDIR) into the
 * host's files of their experiments. */
#ifndef SIS_ANALYSIS_COLLECT_H
#define SIS_ANALYSIS_COLLECT_H

#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"

/* What was done in the directory of one run. */
struct collected {
	char *experiment;        /* the directory of the experiment */
	uint64_t files, bytes;   /* moved */
	uint64_t running;        /* files that stay, because their processes run */
};
typedef VEC(struct collected) collected_runs;

/* Collects the files of one experiment. Does nothing if it has none on this host. */
int collect_experiment(collected_runs *runs, const char *experiment, struct err *err);
/* Collects the files of the run `run_id` in `tmpdir`, or of all runs of this user there if it is
 * NULL. If a run fails, goes on with the others. */
int collect_from(collected_runs *runs, const char *tmpdir, const char *run_id, struct err *err);
void collected_release(collected_runs *runs);

#endif
