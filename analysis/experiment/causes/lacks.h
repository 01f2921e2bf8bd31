/* SPDX-License-Identifier: BSD-3-Clause */
/* lacks.h - when threads lacked a processor while they worked. The source is the kernel's
 * counts. */
#ifndef SIS_ANALYSIS_LACKS_H
#define SIS_ANALYSIS_LACKS_H

#include "experiment/model/experiment.h"

/* Between the two times, the unit lacked a processor for `ns`. */
struct lack_span { uint32_t unit; int64_t from, to, ns; };
struct lacks {
	VEC(struct lack_span) span; /* sorted by unit and time; spans of a unit do not overlap */
	int64_t *booked;         /* by summary: the time booked as OLOSS_NOCPU */
};

void lacks_init(struct lacks *l, const struct experiment *x);
void lacks_release(struct lacks *l);
/* How long the unit had no processor between the two times. If a span is only partly between these
 * times, a proportional part of its `ns` counts. */
int64_t lacks_within(const struct lacks *l, uint32_t unit, int64_t from, int64_t to);

/* Each struct delay_cost has a part that was not examined: ns - examined_ns. Estimates how much of
 * this part belongs to no_processor_ns. The culprit is assumed to have lacked a processor during
 * the same fraction of this part as of all its time in culprit_node. Called after all costs were
 * added. */
void lacks_divide_costs(const struct experiment *x, struct experiment_causes *c);

#endif
