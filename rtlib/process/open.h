/* SPDX-License-Identifier: BSD-3-Clause */
/* open.h - the profile is opened when something is to be measured. */
#ifndef SIS_RT_OPEN_H
#define SIS_RT_OPEN_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

bool sis__store_open(void); /* on first use; false: there is no file, nothing is measured */
/* By a thread that has the guard. The first notes the library that has the unit; the other one is
 * for regions that are named by hand, also in signal handlers. */
void sis__unit_register(struct sis_unit *unit);
void sis__unit_register_by_hand(struct sis_unit *unit);

#pragma GCC visibility pop
#endif
