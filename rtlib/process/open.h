/* SPDX-License-Identifier: BSD-3-Clause */
/* open.h - the profile is opened when something is to be measured. */
#ifndef SIS_RT_OPEN_H
#define SIS_RT_OPEN_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

bool sis__store_open(void); /* on first use; false: there is no file, nothing is measured */
void sis__unit_register(struct sis_unit *unit); /* by a thread that has the guard */

#pragma GCC visibility pop
#endif
