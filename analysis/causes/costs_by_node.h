/* SPDX-License-Identifier: BSD-3-Clause */
/* costs_by_node.h - lists the delay costs by the node where others waited. */
#ifndef SIS_ANALYSIS_COSTS_BY_NODE_H
#define SIS_ANALYSIS_COSTS_BY_NODE_H

#include "model/experiment.h"

/* first: of each node, next: of each cost; in causes.delay_cost; NONE: no more */
struct costs_by_node { uint32_t *first, *next; };

/* For the delay costs that there are now. */
void costs_by_node_init(struct costs_by_node *c, const struct experiment *x);
void costs_by_node_release(struct costs_by_node *c);

#endif
