/* SPDX-License-Identifier: BSD-3-Clause */
/* wait_pairs.h - the parts of delay costs by victim: which PU waited for which culprit. */
#ifndef SIS_ANALYSIS_WAIT_PAIRS_H
#define SIS_ANALYSIS_WAIT_PAIRS_H

#include "model/experiment.h"

enum { WAIT_PAIRS_MOST = 1000000 }; /* pairs with a victim that an experiment keeps */

/* Adds a wait of a PU to the cost: `ns` of its own, and `idle_ns` of PUs of its process that were
 * idle meanwhile. Every direct cost comes through here, so a cost is the sum of its pairs. */
void wait_pair_add(struct experiment_causes *c, struct delay_cost *cost, uint32_t victim,
		   int64_t ns, int64_t idle_ns);
/* Divides the idle times among the idle PUs, and sorts the pairs by cost and victim. After the last
 * cost. */
void wait_pairs_divide(const struct experiment *x, struct experiment_causes *c);
/* Sorts the pairs by node, leaf, culprit, culprit_node and victim. If there are more than `most`
 * pairs, it keeps the largest; the other pairs of each cost become one pair without a victim. After
 * wait_pairs_divide. */
void wait_pairs_order(struct experiment_causes *c, size_t most);
/* Both. */
void wait_pairs_finish(const struct experiment *x, struct experiment_causes *c, size_t most);

#endif
