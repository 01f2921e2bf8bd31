/* SPDX-License-Identifier: BSD-3-Clause */
/* lacks.h - when threads had no processor while they worked, as far as the kernel's counts tell. */
#ifndef SIS_ANALYSIS_LACKS_H
#define SIS_ANALYSIS_LACKS_H

#include "model/experiment.h"

struct lack_span { uint32_t unit; int64_t from, to, ns; };
struct lacks {
	VEC(struct lack_span) span; /* by unit and time; those of a unit do not overlap */
	int64_t *booked;         /* by summary: OLOSS_NOCPU */
};

void lacks_init(struct lacks *l, const struct experiment *x);
void lacks_release(struct lacks *l);
/* How long the unit had none between the times. A count that is only known for a longer time is
 * divided in proportion. */
int64_t lacks_within(const struct lacks *l, uint32_t unit, int64_t from, int64_t to);

/* Estimates struct delay_cost.no_processor_ns where it is not examined: the culprit had no
 * processor for the same part of the wait as of all its time in the node. After all costs. */
void lacks_divide_costs(const struct experiment *x, struct experiment_causes *c);

#endif
