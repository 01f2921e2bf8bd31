/* SPDX-License-Identifier: BSD-3-Clause */
/* measures.h - how often and how long regions ran so far, from the trees of all threads. */
#ifndef SIS_CONTROL_MEASURES_H
#define SIS_CONTROL_MEASURES_H

#include "control/pattern_ids.h"
#include "control/rule_logic.h"

#pragma GCC visibility push(hidden)

/* Adds up all nodes. `sums`: one per pattern, zero; `value`: one per pattern, the count and the sum
 * of the numbers that the program gave by this name. */
struct sis_value_sums { uint64_t count; double sum; };
void sis__measures_read(const struct sis_pattern_ids *ids, uint64_t now,
			struct sis_region_sums *sums, struct sis_value_sums *value);
/* Calls `see` for each region that has a node below one of the pattern. */
void sis__regions_below(const struct sis_pattern_ids *ids, uint32_t pattern,
			void (*see)(void *context, uint32_t id), void *context);
/* Slots in use. */
uint32_t sis__threads_now(void);

#pragma GCC visibility pop
#endif
