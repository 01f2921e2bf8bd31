/* SPDX-License-Identifier: BSD-3-Clause */
/* region_registry.h - registered translation units, and the ids and facts of their regions. */
#ifndef SIS_REGION_REGISTRY_H
#define SIS_REGION_REGISTRY_H

#include "base/runtime.h"

#include <stddef.h>

#pragma GCC visibility push(hidden)

void sis__units_init(void); /* makes the facts of built-in regions */
void sis__units_note(void); /* writes the names of these regions as text */
/* Gives ids to the regions of the unit. The profile must exist. */
void sis__unit_add(struct sis_unit *unit);
void sis__unit_switch_off(struct sis_unit *unit); /* turns off all its regions, for good */
/* Called when a library is closed. Its units are between the addresses `low` and `high`; from now
 * on their regions are no longer turned off and on. */
void sis__units_remove(const char *low, const char *high);

/* Makes a region of the calls of a built-in region that return to `address`. body: the function
 * that the call executes; NULL: none. Returns the id; `builtin`: there is no memory. */
uint32_t sis__region_of_call(uint32_t builtin, uint64_t address, const void *body);

uint32_t sis__region_ids(void); /* the first id that no region has yet */
/* The wishes of rules for a region. `off` is the cause (enum sis_cause) for which the region is
 * off, and `no_counters` that for which its counters are off. 0: they are on. */
struct sis_wish { uint16_t off, no_counters; };
/* Turns regions and their counters off as `wish[id]` says. All other regions lose this reason to be
 * off; a region without any reason is on. Called by a thread of the runtime, never by a probe. */
void sis__regions_wish(const struct sis_wish *wish, uint32_t ids);
/* Finds the regions around those that rules have turned off. With `again`, the next enters of each
 * region that is off make a node, without an activation. Without `again`, turns off the gates of
 * regions that have made all these nodes. */
void sis__regions_look(bool again);
/* Gives the `count` regions in `id` the reason `by` to be off, or takes this reason from them. */
void sis__regions_turn(const uint32_t *id, size_t count, enum sis_off_by by, bool off);

#pragma GCC visibility pop
#endif
