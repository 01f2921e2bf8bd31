/* SPDX-License-Identifier: BSD-3-Clause */
/* open.h - opens the profile when the first thing is to be measured. */
#ifndef SIS_RT_OPEN_H
#define SIS_RT_OPEN_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

/* Opens the profile at the first call. False: there is no file, so nothing is measured. */
bool sis__store_open(void);
/* Register a unit. The caller is guarded (sis__guard_alone). The first function notes the library
 * that contains the unit. The second one is for regions that are named by hand, also in signal
 * handlers. */
void sis__unit_register(struct sis_unit *unit);
void sis__unit_register_by_hand(struct sis_unit *unit);

#pragma GCC visibility pop
#endif
