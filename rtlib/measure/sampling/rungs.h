/* SPDX-License-Identifier: BSD-3-Clause */
/* rungs.h - keeps the cost of the probes within SIS_OVERHEAD, by measuring less where it costs most
 * (budget.h decides). Runs in the sampler's thread. */
#ifndef SIS_RUNGS_H
#define SIS_RUNGS_H

#include "measure/sampling/sampler.h"

#pragma GCC visibility push(hidden)

/* The functions that the sampler calls. */
extern const struct sis_subscriber sis__rungs_subscriber;
/* Called in a forked child: nodes keep their rungs, but calls and costs are counted anew. */
void sis__rungs_new_process(void);

/* Called when the sampler ends before the process. From then on, one activation in N is timed of
 * nodes that need samples. */
void sis__rungs_without_sampler(void);

#pragma GCC visibility pop
#endif
