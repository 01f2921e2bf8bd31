/* SPDX-License-Identifier: BSD-3-Clause */
/* region_registry.h - registered translation units, ids and facts of regions. */
#ifndef SIS_REGION_REGISTRY_H
#define SIS_REGION_REGISTRY_H

#include "base/runtime.h"

#include <stddef.h>

#pragma GCC visibility push(hidden)

void sis__units_init(void); /* the facts of built-in regions */
void sis__units_note(void); /* writes their names as text */
void sis__unit_add(struct sis_unit *unit); /* gives ids to its regions, once the file is there */
void sis__unit_switch_off(struct sis_unit *unit);
/* A library is closed: the regions of its units, from `low` to `high`, are no longer turned off and
 * on. */
void sis__units_remove(const char *low, const char *high);

uint32_t sis__region_ids(void); /* the first id that no region has yet */
/* Region `id` is to be off for the reason `by` if `wish[id]` has the bit. All other regions lose
 * this reason. A region without any reason is on. A thread of the runtime, never a probe. */
void sis__regions_set_off(enum sis_off_by by, const uint8_t *wish, uint8_t bit, uint32_t ids);
/* The `count` regions in `id` get or lose this reason to be off. */
void sis__regions_turn(const uint32_t *id, size_t count, enum sis_off_by by, bool off);
/* The metrics of region `id` are not read if `wish[id]` has the bit; all others are. */
void sis__regions_set_uncounted(const uint8_t *wish, uint8_t bit, uint32_t ids);

#pragma GCC visibility pop
#endif
