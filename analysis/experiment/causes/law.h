/* SPDX-License-Identifier: BSD-3-Clause */
/* law.h - checks that no call path of a culprit is charged with more time than was spent in it.
 *
 * An identity checks the times of each processing unit: useful work and leaves add up to its wall
 * time. The law below checks the causes of waits. A wait is charged to call paths of its culprit.
 * For one wait, delay.c looks back to an earlier meeting of victim and culprit. The charge to a
 * path is at most the time that the culprit spent in the path since that meeting, without the
 * culprit's own waits. The sum of all charges of one victim to a path is at most the whole time
 * that the culprit spent in the path. The largest excess is stored with the experiment. */
#ifndef SIS_ANALYSIS_LAW_H
#define SIS_ANALYSIS_LAW_H

#include "experiment/causes/thread_waits.h"

/* Called before the first charge. */
void law_begin(const struct experiment *x, struct experiment_causes *c);
/* Notes that `ns` of the victim's waits were charged to the culprit in a node. Both are PUs. */
void law_charge(const struct experiment *x, struct experiment_causes *c, uint32_t victim,
		uint32_t culprit, uint32_t culprit_node, int64_t ns);
/* How much of `ns` can be charged, in addition to earlier charges, without breaking the law. */
int64_t law_allowed(const struct experiment *x, uint32_t victim, uint32_t culprit,
		    uint32_t culprit_node, int64_t ns);
/* Notes that charges exceed the limit of the law by `ns`. If `ns` is 0 or less, the law holds. */
void law_violation(struct experiment_causes *c, int64_t ns);
/* Compares the sums of all charges with the units' times. Computes the time of waits without a
 * recorded cause. Called after the last charge. */
void law_check(const struct experiment *x, struct experiment_causes *c,
	       const struct thread_waits *threads);

#endif
