/* SPDX-License-Identifier: BSD-3-Clause */
/* law.h - checks that nobody is charged with more than it did.
 *
 * The bookkeeping of each processing unit is checked by an identity: useful work and leaves are its
 * wall time. This is the same for causes. A wait is charged to call paths of its culprit. The
 * charge to a path is at most the time that the culprit spent in it since the two last met, without
 * the culprit's own waits. Over all waits of a unit, it is at most all time that the culprit spent
 * in the path. The largest excess is stored with the experiment. */
#ifndef SIS_ANALYSIS_LAW_H
#define SIS_ANALYSIS_LAW_H

#include "causes/thread_waits.h"

/* A part of a unit's waits, charged to the culprit (a PU) in a node. */
void law_charge(const struct experiment *x, struct experiment_causes *c, uint32_t victim,
		uint32_t culprit, uint32_t culprit_node, int64_t ns);
/* The part of `ns` that the law allows to charge in addition. */
int64_t law_allowed(const struct experiment *x, uint32_t victim, uint32_t culprit,
		    uint32_t culprit_node, int64_t ns);
/* A charge, or the sum of a victim's charges to a culprit in a node, is `ns` above the limit. If
 * `ns` is not above 0, the law holds. */
void law_violation(struct experiment_causes *c, int64_t ns);
/* Compares the sums of all charges with the units' times, and with the waits. After the last
 * charge. */
void law_check(const struct experiment *x, struct experiment_causes *c,
	       const struct thread_waits *threads);

#endif
