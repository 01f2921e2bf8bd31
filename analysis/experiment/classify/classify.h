/* SPDX-License-Identifier: BSD-3-Clause */
/* classify.h - divides the time of each processing unit into useful work and leaves of the overhead
 * tree. */
#ifndef SIS_ANALYSIS_CLASSIFY_H
#define SIS_ANALYSIS_CLASSIFY_H

#include "experiment/model/experiment.h"

/* Fills *c, which is x->classify. Called after match_waits. */
void classify(const struct experiment *x, struct experiment_classify *c, warning_list *warnings);
void classify_release(struct experiment_classify *c);

/* The absolute difference between T_p and the sum of the PU's useful work and leaves, plus the PU's
 * clipped_ns. It should be 0, but for rounding. */
int64_t classify_identity_error(const struct experiment *x, uint32_t pu);
/* The largest result of classify_identity_error that rounding explains. */
int64_t classify_tolerance(const struct experiment *x);

#endif
