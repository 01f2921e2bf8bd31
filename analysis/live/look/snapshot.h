/* SPDX-License-Identifier: BSD-3-Clause */
/* snapshot.h - reads a run up to now as an experiment in memory, while its processes go on. */
#ifndef SIS_ANALYSIS_SNAPSHOT_H
#define SIS_ANALYSIS_SNAPSHOT_H

#include "experiment/model/experiment.h"

/* Reads the profiles of a directory and builds the model. In the model, the run ends now. If a
 * process runs on this host, its open activations also end now, and not at the thread's last probe.
 * So the later stages of the analysis classify all time up to now. On failure there is nothing to
 * release. */
int snapshot_read(struct experiment *x, const char *directory, struct err *err);
/* The time since the thread's last probe; negative if it is not known. */
int64_t snapshot_age_ns(const struct process *process, const struct profile_thread *thread);

#endif
