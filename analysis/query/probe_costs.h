/* SPDX-License-Identifier: BSD-3-Clause */
/* probe_costs.h - what the probes cost in each node of the call graph, and on the critical path:
 * times less these costs are the times without probes.
 *
 *   exclusive   the probes of the node and of its children (what OPROBE has there)
 *   inclusive   likewise of all nodes below it
 *   T_p         the probes on the critical path only: others delayed nobody
 *
 * LIMIT: a wait keeps its measured length, although without probes its culprit might have come
 * earlier. So the inclusive time of a processing unit that waited much can be longer than T_p
 * without probes.
 */
#ifndef SIS_ANALYSIS_PROBE_COSTS_H
#define SIS_ANALYSIS_PROBE_COSTS_H

#include "base/map.h"
#include "repository/repository.h"

struct probe_cost { /* of a processing unit in a node or region; each part at least 0 */
	int64_t item, pu;
	int64_t own_ns; /* of its exclusive time */
	int64_t all_ns; /* of its inclusive time; a region's is that of its outermost nodes */
};
struct probe_costs {
	bool by_region;      /* set by the caller; items are regions, else nodes */
	bool chosen;         /* likewise: all of temp.chosen_pu together, as processing unit 0 */
	VEC(struct probe_cost) cost; /* items without costs are left out */
	struct map by_place; /* (item, PU) -> index in `cost` */
};

int probe_costs_load(struct probe_costs *costs, struct repo *repo, int64_t experiment,
		     struct err *err);
/* Adds a cost to those of an item, on the processing unit of the cost. */
void probe_costs_add(struct probe_costs *costs, int64_t item, const struct probe_cost *cost);
/* Zeros where there are none. */
struct probe_cost probe_costs_at(const struct probe_costs *costs, int64_t item, int64_t pu);
void probe_costs_release(struct probe_costs *costs);

/* The true cost of a pair of probes is between 0 and this many times the cost that the process
 * measured at its start. A processor can execute the probes while the work around them waits for
 * something else. If that work misses the caches, reading the clock waits, too (rtlib/DESIGN, "What
 * a pair costs"). */
enum { PROBE_COST_MOST = 3 };

#define COST_UNKNOWN (-1)
/* The part of T_p that is the cost of probes. COST_UNKNOWN: the critical path is not known, of an
 * experiment with several units that an older sis-analyze imported. */
int probe_costs_of_t_p(int64_t *ns, struct repo *repo, int64_t experiment, struct err *err);
/* T_p without it; COST_UNKNOWN if that is not known. */
int t_p_without_probes(int64_t *ns, struct repo *repo, int64_t experiment, int64_t t_p,
		       struct err *err);

#endif
