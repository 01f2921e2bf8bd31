/* SPDX-License-Identifier: BSD-3-Clause */
/* target.h - which run a user names: its directory, or one of its processes. */
#ifndef SIS_ANALYSIS_TARGET_H
#define SIS_ANALYSIS_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* directory: the caller frees it; pid: the process that was named, 0: the directory was. */
struct live_target { char *directory; uint32_t pid; };

/* `word` is the directory of a run, or the number of a process of this host. On failure there is
 * nothing to free. */
int live_target_find(struct live_target *target, const char *word, struct err *err);
/* The directory that `word` names; NULL: that of the newest run in the working directory. The
 * caller frees it. */
int live_target_choose(char **directory, const char *word, struct err *err);

/* Whether a file in the directory of a run is, by its name, the profile of one process. */
bool live_is_profile(const char *name);

#endif
