/* SPDX-License-Identifier: BSD-3-Clause */
/* wait_pairs.h - which PU waited for which culprit. A pair is the part of a delay cost that one
 * victim has. */
#ifndef SIS_ANALYSIS_WAIT_PAIRS_H
#define SIS_ANALYSIS_WAIT_PAIRS_H

#include "experiment/model/experiment.h"

enum { WAIT_PAIRS_MOST = 1000000 }; /* the most pairs with a victim that an experiment keeps */

/* Adds a wait of a PU to the cost: `ns` of the PU itself, and `idle_ns` of PUs of its process that
 * were idle meanwhile. No other function adds direct costs, so a cost is the sum of its pairs. */
void wait_pair_add(struct experiment_causes *c, struct delay_cost *cost, uint32_t victim,
		   int64_t ns, int64_t idle_ns);
/* Divides the idle times among the idle PUs, and sorts the pairs by cost and victim. Called after
 * the last cost was added. */
void wait_pairs_divide(const struct experiment *x, struct experiment_causes *c);
/* Sorts the pairs by node, leaf, culprit, culprit_node and victim. If there are more than `most`
 * pairs, only the largest keep their victims. The smaller pairs of each cost become one pair
 * without a victim. Called after wait_pairs_divide. */
void wait_pairs_order(struct experiment_causes *c, size_t most);
/* Calls wait_pairs_divide and wait_pairs_order. */
void wait_pairs_finish(const struct experiment *x, struct experiment_causes *c, size_t most);

/* The pairs by the node of the wait and the victim. */
struct pairs_by_node {
	struct map list_by_node;  /* (node, victim): index of first */
	VEC(uint32_t) first;
	uint32_t *next;           /* by pair: the next pair of the same list; NONE: no more */
};
void pairs_by_node_init(struct pairs_by_node *p, const struct experiment_causes *c);
/* The first pair with the PU as victim at the node; NONE if there is none. */
uint32_t pairs_at(const struct pairs_by_node *p, uint32_t node, uint32_t pu);
void pairs_by_node_release(struct pairs_by_node *p);

#endif
