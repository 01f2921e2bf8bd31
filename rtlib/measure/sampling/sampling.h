/* SPDX-License-Identifier: BSD-3-Clause */
/* sampling.h - nodes that are not timed at each activation. */
#ifndef SIS_SAMPLING_H
#define SIS_SAMPLING_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

/* Called when the profile has been opened. Starts the sampler now or later, as SIS_TIMING,
 * SIS_OVERHEAD and SIS_TRACE say. */
void sis__sampling_begin(void);
void sis__sampling_new_process(void); /* in a forked child */

#pragma GCC visibility pop
#endif
