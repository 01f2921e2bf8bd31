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
/* What rules wish for a region: causes (enum sis_cause); 0: it is on. */
struct sis_wish { uint16_t off, no_counters; };
/* Region `id` is to be off if `wish[id]` says so, and its metrics are not to be read. All other
 * regions lose this reason to be off; one without any reason is on. A thread of the runtime, never
 * a probe. */
void sis__regions_wish(const struct sis_wish *wish, uint32_t ids);
/* The next enters of each region that rules have off make a node for it, without an activation, so
 * that it is known which region its time is in. `again` false: those that did so need no longer
 * test it. */
void sis__regions_look(bool again);
/* The `count` regions in `id` get or lose this reason to be off. */
void sis__regions_turn(const uint32_t *id, size_t count, enum sis_off_by by, bool off);

#pragma GCC visibility pop
#endif
