/* SPDX-License-Identifier: BSD-3-Clause */
/* measures.h - how often and how long regions have been executed so far, from the trees of all
 * threads. */
#ifndef SIS_CONTROL_MEASURES_H
#define SIS_CONTROL_MEASURES_H

#include "measure/control/pattern_ids.h"
#include "measure/control/rule_logic.h"

#pragma GCC visibility push(hidden)

/* Adds up all nodes. `sums` has one element for each pattern, which the caller has set to zero.
 * `value`, too: the count and the sum of the numbers that the program gave under a name that the
 * pattern matches (SIS_VALUE). If `value` is NULL, numbers are not read. */
struct sis_value_sums { uint64_t count; double sum; };
void sis__measures_read(const struct sis_pattern_ids *ids, uint64_t now,
			struct sis_region_sums *sums, struct sis_value_sums *value);
/* Calls `see` for each region that rules may turn off and that has a node below a node of the
 * pattern. */
void sis__regions_below(const struct sis_pattern_ids *ids, uint32_t pattern,
			void (*see)(void *context, uint32_t id), void *context);
/* Returns the number of slots that a thread fills now. */
uint32_t sis__threads_now(void);

#pragma GCC visibility pop
#endif
