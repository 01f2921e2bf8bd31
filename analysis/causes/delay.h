/* SPDX-License-Identifier: BSD-3-Clause */
/* delay.h - which threads others waited for, and which regions these were in meanwhile. */
#ifndef SIS_ANALYSIS_DELAY_H
#define SIS_ANALYSIS_DELAY_H

#include "causes/thread_waits.h"

/* all_costs.c: finds all costs, by the functions below; `c` is x->causes. Pairs are not
 * finished. */
void delay_costs_find(const struct experiment *x, struct experiment_causes *c,
		      const struct thread_waits *threads, warning_list *warnings);

/* Fills x->causes.delay_cost for waits between processes, and for those between threads of a
 * process with a trace. After match_waits. */
void delay_costs(const struct experiment *x, struct experiment_causes *c,
		 const struct thread_waits *threads);
/* delay_idle.c: the same for PUs that were idle. */
void delay_costs_of_idle(const struct experiment *x, struct experiment_causes *c);
/* delay_threads.c: the same for waits between threads of a process without a trace. */
void delay_costs_of_threads(const struct experiment *x, struct experiment_causes *c,
			    const struct timelines *timelines);
/* delay_reported.c: what the runtime recorded of threads that waited for one another; fills
 * x->causes.reported_wait. Before the other threads. */
void delay_costs_reported(const struct experiment *x, struct experiment_causes *c,
			  const struct timelines *timelines, warning_list *warnings);
/* The part of a PU's wait at a node that the runtime reported. */
int64_t delay_reported_ns(const struct experiment *x, uint32_t node, uint32_t pu);
/* Whether the node is a wait at a barrier of a team, or the loss of parallelism there. */
bool delay_is_at_barrier(const struct experiment *x, uint32_t node);
/* The n culprits that the runtime reported of a PU's waits at such a node. */
const struct reported_wait *delay_reported_at_barrier(const struct experiment *x, uint32_t node,
						      uint32_t pu, size_t *n);
/* Passes costs on through culprits that waited for a lock themselves. After the other threads. */
void delay_costs_propagate(const struct experiment *x, struct experiment_causes *c);
/* delay_chain.c: the same for culprits that waited in MPI or at a barrier. After all others. */
void delay_costs_chain(const struct experiment *x, struct experiment_causes *c,
		       const struct timelines *timelines);
/* delay_unlocated.c: distributes costs without a node over the culprit's regions. After the
 * others. */
void delay_costs_unlocated(const struct experiment *x, struct experiment_causes *c);

/* The entry for waits at `node` booked as `leaf`, by a culprit (a PU; NONE not known) in a node
 * (NONE likewise). */
struct delay_cost *delay_cost_at(struct experiment_causes *c, uint32_t node, enum sis_overhead leaf,
				 uint32_t culprit, uint32_t culprit_node);
/* Charges the culprit, a PU that was in `culprit_node`, with a wait of `pu` at `node`, by an
 * estimate. */
void delay_charge(const struct experiment *x, struct experiment_causes *c, uint32_t node,
		  uint32_t pu, uint32_t culprit, uint32_t culprit_node, int64_t ns);
void causes_release(struct experiment_causes *c);

#endif
