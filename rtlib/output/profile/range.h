/* SPDX-License-Identifier: BSD-3-Clause */
/* range.h - addresses for a file that is mapped, grows and never moves. */
#ifndef SIS_RT_RANGE_H
#define SIS_RT_RANGE_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Each file has a range of its own. Functions find a range by this enum or by its `base`. */
enum sis_range_of { SIS_RANGE_PROFILE, SIS_RANGE_STACKS };
/* Reserves up to *bytes of addresses without access, at a place where the range can become longer.
 * If this place is taken, reserves up to `alone` bytes anywhere. Sets *bytes to the length of the
 * range. NULL: no addresses. */
char *sis__range_reserve(enum sis_range_of of, uint64_t *bytes, uint64_t alone);
/* Makes the range `wanted` bytes long, without moving it. False: other mappings are behind it, or a
 * limit forbids it. */
bool sis__range_extend(char *base, uint64_t *bytes, uint64_t wanted);

#pragma GCC visibility pop
#endif
