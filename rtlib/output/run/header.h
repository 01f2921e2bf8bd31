/* SPDX-License-Identifier: BSD-3-Clause */
/* header.h - what the profile says about the process, the program and the machine. */
#ifndef SIS_RT_HEADER_H
#define SIS_RT_HEADER_H

#include "profile.h"

#pragma GCC visibility push(hidden)

void sis__header_fill(struct sis_profile_header *header);     /* at the process's start */
void sis__header_complete(struct sis_profile_header *header); /* when measurement begins */
void sis__machine_note(void); /* basic facts of the machine, as text */
/* Writes the topology from hwloc, once for each host, if the run was long enough. */
void sis__machine_topology(const struct sis_time_mark *end);

#pragma GCC visibility pop
#endif
