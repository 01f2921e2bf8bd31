/* SPDX-License-Identifier: BSD-3-Clause */
/* blocked.h - samples of threads that wait. */
#ifndef SIS_BLOCKED_H
#define SIS_BLOCKED_H

#include "sampling/sampler.h"
#include "stacks/sample_source.h"

#pragma GCC visibility push(hidden)

/* False: no memory. `period_ns`: what a sample stands for. `look`: threads that run are noted,
 * too. */
bool sis__blocked_begin(uint64_t period_ns, bool look);
void sis__blocked_sample(const struct sis_sample *sample);
void sis__blocked_grow(void);
void sis__blocked_new_process(void);

#pragma GCC visibility pop
#endif
