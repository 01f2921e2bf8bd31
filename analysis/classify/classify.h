/* SPDX-License-Identifier: BSD-3-Clause */
/* classify.h - every nanosecond of every processing unit: useful work, or a leaf of the overhead
 * tree. */
#ifndef SIS_ANALYSIS_CLASSIFY_H
#define SIS_ANALYSIS_CLASSIFY_H

#include "model/experiment.h"

/* Fills *c, which is x->classify. After match_waits. */
void classify(const struct experiment *x, struct experiment_classify *c, warning_list *warnings);
void classify_release(struct experiment_classify *c);

/* The difference of a PU's wall time and its parts, including time that did not fit: 0, but for
 * rounding. */
int64_t classify_identity_error(const struct experiment *x, uint32_t pu);
/* The part of that difference that rounding explains. */
int64_t classify_tolerance(const struct experiment *x);

#endif
