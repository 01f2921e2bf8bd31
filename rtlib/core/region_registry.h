/* SPDX-License-Identifier: BSD-3-Clause */
/* region_registry.h - registered translation units, ids and facts of regions. */
#ifndef SIS_REGION_REGISTRY_H
#define SIS_REGION_REGISTRY_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

void sis__units_init(void); /* the facts of built-in regions */
void sis__units_note(void); /* writes their names as text */
void sis__unit_add(struct sis_unit *unit); /* gives ids to its regions, once the file is there */
void sis__unit_switch_off(struct sis_unit *unit);

#pragma GCC visibility pop
#endif
