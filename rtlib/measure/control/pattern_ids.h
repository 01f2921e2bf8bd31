/* SPDX-License-Identifier: BSD-3-Clause */
/* pattern_ids.h - which registered regions a pattern of the rules matches. */
#ifndef SIS_PATTERN_IDS_H
#define SIS_PATTERN_IDS_H

#include "base/runtime.h"

#include <stddef.h>

#pragma GCC visibility push(hidden)

/* Patterns and, for each id, which of the patterns match its region. If all fields are zero, there
 * are no patterns. Only one thread uses this struct. */
struct sis_pattern_ids {
	const char *const *pattern; /* owned by the caller */
	uint32_t patterns;
	uint32_t ids, room;         /* ids below `ids` were compared; elements of a `match` row */
	bool *match;                /* patterns x room */
};

/* Replaces the earlier patterns by these. */
void sis__pattern_ids_begin(struct sis_pattern_ids *p, const char *const *pattern, uint32_t count);
/* Compares the regions that were registered since the last call. If there is no memory, no pattern
 * matches these regions. */
void sis__pattern_ids_update(struct sis_pattern_ids *p);

static inline bool sis__pattern_matches(const struct sis_pattern_ids *p, uint32_t pattern,
					uint32_t id)
{
	return id < p->ids && p->match[(size_t)pattern * p->room + id];
}

/* Whether rules may turn off the region. It must be a region of the program's own work: not the
 * program itself, not a call of MPI, and not a construct or lock of OpenMP. */
bool sis__region_may_be_off(uint32_t id);

#pragma GCC visibility pop
#endif
