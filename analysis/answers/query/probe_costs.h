/* SPDX-License-Identifier: BSD-3-Clause */
/* probe_costs.h - computes what the probes cost in each node of the call graph, and on the critical
 * path. These costs are subtracted from times to get the times without probes.
 *
 *   exclusive   the probes of the node and of its children: OPROBE of the node
 *   inclusive   the same, with all nodes below it
 *   T_p         only the probes on the critical path: others delayed nobody
 *
 * LIMIT: a wait keeps its measured length, although without probes its culprit might have come
 * earlier. So the inclusive time of a processing unit that waited much can be longer than T_p
 * without probes.
 */
#ifndef SIS_ANALYSIS_PROBE_COSTS_H
#define SIS_ANALYSIS_PROBE_COSTS_H

#include "base/map.h"
#include "repository/database/repository.h"

struct probe_cost { /* of a processing unit in a node or region; each part at least 0 */
	int64_t item, pu;
	int64_t own_ns; /* cost in its exclusive time */
	int64_t all_ns; /* cost in its inclusive time; a region has that of its outermost nodes */
};
struct probe_costs {
	bool by_region;      /* set by the caller: items are regions; if not, nodes */
	/* set by the caller: all units in temp.chosen_pu are added up as unit 0 */
	bool chosen;
	VEC(struct probe_cost) cost; /* items without costs are left out */
	struct map by_item_and_pu; /* -> index in `cost` */
};

int probe_costs_load(struct probe_costs *costs, struct repo *repo, int64_t experiment,
		     struct err *err);
/* Adds `cost` to the costs of an item on the processing unit cost->pu. */
void probe_costs_add(struct probe_costs *costs, int64_t item, const struct probe_cost *cost);
/* The cost of an item on a processing unit; zeros if it has none. */
struct probe_cost probe_costs_at(const struct probe_costs *costs, int64_t item, int64_t pu);
void probe_costs_release(struct probe_costs *costs);

/* The true cost of a pair of probes is between 0 and this many times the cost that the process
 * measured at its start. A processor can execute the probes while the work around them waits for
 * something else. If that work misses the caches, reading the clock waits, too (rtlib/sis/DESIGN,
 * "What a pair costs"). */
enum { PROBE_COST_MOST = 3 };

#define COST_UNKNOWN (-1)
/* Computes which part of T_p is the cost of probes. *ns becomes COST_UNKNOWN if there are several
 * units and the critical path is not known. */
int probe_costs_of_t_p(int64_t *ns, struct repo *repo, int64_t experiment, struct err *err);
/* Computes T_p less the cost of probes in it; COST_UNKNOWN if that cost is not known. */
int t_p_without_probes(int64_t *ns, struct repo *repo, int64_t experiment, int64_t t_p,
		       struct err *err);

#endif
