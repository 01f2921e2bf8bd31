/* SPDX-License-Identifier: BSD-3-Clause */
/* alive.h - tells whether the process of a profile still runs, and reads the clocks of this
 * process. */
#ifndef SIS_ANALYSIS_ALIVE_H
#define SIS_ANALYSIS_ALIVE_H

#include <stdbool.h>

#include "profile.h"

/* Whether the process runs. LIMIT: if a process of another host was killed, it counts as running
 * for ever, because its profile does not say that it ended. */
bool alive(const struct sis_profile_header *head);
/* Sets *now to the current time of the process's clocks. Returns false if they cannot be read here,
 * because the process is on another host, or because this host has been restarted since. */
bool alive_clock(const struct sis_profile_header *head, struct sis_time_mark *now);

#endif
