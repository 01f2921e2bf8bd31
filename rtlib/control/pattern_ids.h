/* SPDX-License-Identifier: BSD-3-Clause */
/* pattern_ids.h - which registered regions a pattern of the rules means. */
#ifndef SIS_PATTERN_IDS_H
#define SIS_PATTERN_IDS_H

#include "base/runtime.h"

#include <stddef.h>

#pragma GCC visibility push(hidden)

/* Patterns and, for each id, which of them its region matches. All zero: none. One thread. */
struct sis_pattern_ids {
	const char *const *pattern; /* the caller's */
	uint32_t patterns;
	uint32_t ids, room;         /* ids that were compared; elements of `match` per pattern */
	bool *match;                /* patterns x room */
};

/* Begins anew with these patterns. */
void sis__pattern_ids_begin(struct sis_pattern_ids *p, const char *const *pattern, uint32_t count);
/* Compares the regions that were registered since the last call. Without memory they match
 * nothing. */
void sis__pattern_ids_update(struct sis_pattern_ids *p);

static inline bool sis__pattern_matches(const struct sis_pattern_ids *p, uint32_t pattern,
					uint32_t id)
{
	return id < p->ids && p->match[(size_t)pattern * p->room + id];
}

/* Whether the region may be turned off: one of the program's, which bookkeeping does not need. */
bool sis__region_may_be_off(uint32_t id);

#pragma GCC visibility pop
#endif
