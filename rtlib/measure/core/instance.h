/* SPDX-License-Identifier: BSD-3-Clause */
/* instance.h - regions of the instances of templates. */
#ifndef SIS_INSTANCE_H
#define SIS_INSTANCE_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

/* Registers the instance's region as a unit of its own. `unit` has the region of the template. If
 * that is not possible, the region is off. */
void sis__instance_add(struct sis_unit *unit, struct sis_instance *instance);

#pragma GCC visibility pop
#endif
