/* SPDX-License-Identifier: BSD-3-Clause */
/* region_filter.h - which regions of a translation unit SIS_FILTER turns off. */
#ifndef SIS_REGION_FILTER_H
#define SIS_REGION_FILTER_H

#include "base/runtime.h"
#include "measure/core/region_text.h"

#pragma GCC visibility push(hidden)

/* The state of a walk through the regions of a unit, in their order. */
struct sis_region_filter {
	const struct sis_unit *unit;
	struct sis_region_texts texts; /* empty if there are no rules */
	const char *directory; /* the value of "directory", with its quotes */
	unsigned first, last;  /* a range that is turned off, but not yet in `off`; first >
				* last: empty */
	size_t length;
	char off[800];         /* numbers and ranges of regions that are turned off: 3-5,9 */
};
/* Begins a walk. Only one thread at a time uses a walk. */
void sis__region_filter_begin(struct sis_region_filter *filter, const struct sis_unit *unit);
/* Whether region `k` is turned off. Called for each k from 0 on. */
bool sis__region_filter_next(struct sis_region_filter *filter, unsigned k);
/* Writes the numbers of the regions that are turned off into the profile, as text. */
void sis__region_filter_note(struct sis_region_filter *filter);

#pragma GCC visibility pop
#endif
