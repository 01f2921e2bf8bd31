/* SPDX-License-Identifier: BSD-3-Clause */
/* snapshot.h - a run as an experiment in memory, up to now, while its processes go on. */
#ifndef SIS_ANALYSIS_SNAPSHOT_H
#define SIS_ANALYSIS_SNAPSHOT_H

#include "model/experiment.h"

/* Reads the profiles of a directory and builds the model. The run ends now: an activation that is
 * open in a process that runs on this host lasts until now, and not only until the thread's last
 * probe. So the stages after the model classify all of the time. On failure there is nothing to
 * release. */
int snapshot_read(struct experiment *x, const char *directory, struct err *err);
/* How long ago the thread passed its last probe; negative: not known. */
int64_t snapshot_age_ns(const struct process *process, const struct profile_thread *thread);

#endif
