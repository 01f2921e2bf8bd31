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
/* A library is closed: its regions are no longer turned off and on. */
void sis__unit_remove(struct sis_unit *unit);

/* Turns regions off, or takes back that they were turned off. All ids in one call cost hardly more
 * than one. A thread of the runtime, never a probe. */
void sis__regions_turn(const uint32_t *id, size_t count, enum sis_off_by by, bool off);
/* The same for their metrics: while they are off, they are not read. */
void sis__regions_count(const uint32_t *id, size_t count, bool on);

#pragma GCC visibility pop
#endif
