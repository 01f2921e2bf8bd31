/* SPDX-License-Identifier: BSD-3-Clause */
/* range.h - addresses for a file that is mapped, grows and never moves. */
#ifndef SIS_RT_RANGE_H
#define SIS_RT_RANGE_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Each file has a place of its own. A number of this enum and `base` together say where. */
enum sis_range_of { SIS_RANGE_PROFILE, SIS_RANGE_STACKS };
/* Reserves `bytes` that nobody can access, in a place where the range can become longer. If there
 * is none, reserves up to `alone` anywhere. Sets *bytes to what it got. NULL: no addresses. */
char *sis__range_reserve(enum sis_range_of of, uint64_t *bytes, uint64_t alone);
/* Makes the range longer without moving it. False: other mappings are there, or a limit forbids
 * it. */
bool sis__range_extend(char *base, uint64_t *bytes, uint64_t wanted);

#pragma GCC visibility pop
#endif
