/* SPDX-License-Identifier: BSD-3-Clause */
/* alive.h - whether the process of a profile still runs, and what its clock says now. */
#ifndef SIS_ANALYSIS_ALIVE_H
#define SIS_ANALYSIS_ALIVE_H

#include <stdbool.h>

#include "profile.h"

/* Whether the process is on this host, as far as names of hosts say. */
bool alive_is_here(const struct sis_profile_header *head);
/* Whether the process runs. LIMIT: a process of another host counts as running until its profile
 * says that it ended, although it may have been killed. */
bool alive(const struct sis_profile_header *head);
/* The moment now on the clocks of the process. False: they cannot be read here, because the process
 * is on another host, or because this host has been started again since. */
bool alive_clock(const struct sis_profile_header *head, struct sis_time_mark *now);

#endif
