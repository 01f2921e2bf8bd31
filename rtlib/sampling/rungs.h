/* SPDX-License-Identifier: BSD-3-Clause */
/* rungs.h - measures less where measuring costs most: keeps the cost of the probes within
 * SIS_OVERHEAD (budget.h decides). In the sampler's thread. */
#ifndef SIS_RUNGS_H
#define SIS_RUNGS_H

#include "sampling/sampler.h"

#pragma GCC visibility push(hidden)

/* What the sampler calls. */
extern const struct sis_subscriber sis__rungs_subscriber;
void sis__rungs_new_process(void); /* in a forked child: the choices stay, what they follow from
				    * is measured anew */

/* The sampler has ended before the process: nodes that need its samples are timed one in N. */
void sis__rungs_without_sampler(void);

#pragma GCC visibility pop
#endif
