/* SPDX-License-Identifier: BSD-3-Clause */
/* sampling.h - nodes that are not timed at each activation. */
#ifndef SIS_SAMPLING_H
#define SIS_SAMPLING_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

/* When the profile has been opened: as SIS_TIMING says. */
void sis__sampling_begin(void);

#pragma GCC visibility pop
#endif
