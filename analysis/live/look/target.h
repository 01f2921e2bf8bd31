/* SPDX-License-Identifier: BSD-3-Clause */
/* target.h - finds the run that a user names by its directory or by one of its processes. */
#ifndef SIS_ANALYSIS_TARGET_H
#define SIS_ANALYSIS_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* The caller frees `directory`. `pid` is the process that the user named, or 0 if the user named
 * the directory. */
struct live_target { char *directory; uint32_t pid; };

/* `word` is the directory of a run, or the number of a process of this host. On failure there is
 * nothing to free. */
int live_target_find(struct live_target *target, const char *word, struct err *err);
/* The directory that `word` names. If `word` is NULL, it is that of the newest run in the working
 * directory. The caller frees it. */
int live_target_choose(char **directory, const char *word, struct err *err);

/* Whether a file in a run's directory has the name of the profile of one process. */
bool live_is_profile(const char *name);

#endif
