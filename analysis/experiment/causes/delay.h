/* SPDX-License-Identifier: BSD-3-Clause */
/* delay.h - the costs of delays: which threads were the culprits of waits, and in which regions the
 * culprits fell behind. */
#ifndef SIS_ANALYSIS_DELAY_H
#define SIS_ANALYSIS_DELAY_H

#include "experiment/causes/thread_waits.h"

/* all_costs.c: finds all costs by calling the functions below. `c` is x->causes. The caller still
 * has to finish the pairs (wait_pairs_finish). */
void delay_costs_find(const struct experiment *x, struct experiment_causes *c,
		      const struct thread_waits *threads, warning_list *warnings);

/* Fills x->causes.delay_cost for waits between processes, and for waits between threads of a
 * process with a trace. Called after match_waits. */
void delay_costs(const struct experiment *x, struct experiment_causes *c,
		 const struct thread_waits *threads);
/* delay_idle.c: adds the costs of idle time of PUs. */
void delay_costs_of_idle(const struct experiment *x, struct experiment_causes *c);
/* delay_threads.c: adds the costs of waits between threads of a process without a trace. */
void delay_costs_of_threads(const struct experiment *x, struct experiment_causes *c,
			    const struct timelines *timelines);
/* delay_reported.c: adds the costs of waits between threads whose culprits the runtime recorded.
 * Fills x->causes.reported_wait. Called before delay_costs_of_threads. */
void delay_costs_reported(const struct experiment *x, struct experiment_causes *c,
			  const struct timelines *timelines, warning_list *warnings);
/* The part of a PU's wait at a node that the runtime reported. */
int64_t delay_reported_ns(const struct experiment *x, uint32_t node, uint32_t pu);
/* Whether the node is a wait at a barrier of a team, or the loss of parallelism there. */
bool delay_is_at_barrier(const struct experiment *x, uint32_t node);
/* The culprits that the runtime reported for a PU's waits at a node with delay_is_at_barrier. *n
 * becomes their number. */
const struct reported_wait *delay_reported_at_barrier(const struct experiment *x, uint32_t node,
						      uint32_t pu, size_t *n);
/* delay_chain.c: passes costs on through culprits that waited themselves. Called after the
 * functions that add costs. */
void delay_costs_chain(const struct experiment *x, struct experiment_causes *c,
		       const struct timelines *timelines);
/* delay_unlocated.c: distributes costs whose culprit_node is not known over the culprit's regions.
 * Called before delay_costs_chain, after all costs were added. */
void delay_costs_unlocated(const struct experiment *x, struct experiment_causes *c);

/* The cost of waits at `node` that are booked as `leaf`, for a culprit (a PU) that was in
 * `culprit_node`. Culprit and culprit_node are NONE if they are not known. */
struct delay_cost *delay_cost_at(struct experiment_causes *c, uint32_t node, enum sis_overhead leaf,
				 uint32_t culprit, uint32_t culprit_node);
/* Charges `culprit`, a PU that was in `culprit_node`, with a wait of `pu` at `node`. The charge is
 * marked as an estimate. */
void delay_charge(const struct experiment *x, struct experiment_causes *c, uint32_t node,
		  uint32_t pu, uint32_t culprit, uint32_t culprit_node, int64_t ns);
void causes_release(struct experiment_causes *c);

#endif
