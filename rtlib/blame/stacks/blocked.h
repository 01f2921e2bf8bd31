/* SPDX-License-Identifier: BSD-3-Clause */
/* blocked.h - samples of threads that wait. */
#ifndef SIS_BLOCKED_H
#define SIS_BLOCKED_H

#include "measure/sampling/sampler.h"
#include "blame/stacks/sample_source.h"

#pragma GCC visibility push(hidden)

/* `period_ns`: the time for which a sample stands. `look`: threads that run are sampled here, too.
 * Returns false if there is no memory. */
bool sis__blocked_begin(uint64_t period_ns, bool look);
void sis__blocked_sample(const struct sis_sample *sample);
void sis__blocked_grow(void);
void sis__blocked_new_process(void);

#pragma GCC visibility pop
#endif
