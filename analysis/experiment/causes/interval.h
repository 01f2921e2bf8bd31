/* SPDX-License-Identifier: BSD-3-Clause */
/* interval.h - in which regions a thread was during an interval. */
#ifndef SIS_ANALYSIS_INTERVAL_H
#define SIS_ANALYSIS_INTERVAL_H

#include "experiment/model/phases.h"
#include "experiment/timeline/timeline.h"

#define OUTSIDE_MPI (NONE - 1) /* stands for an unknown node outside of MPI */

struct intervals {
	const struct experiment *x;
	const struct timelines *timelines;
	struct { phase_spans phase; } *lane; /* of each process */
};

void intervals_init(struct intervals *s, const struct experiment *x, const struct timelines *t);
void intervals_release(struct intervals *s);

/* `node`: a node of the process's profile, or OUTSIDE_MPI. `exact`: `ns` is measured. If not, `ns`
 * is estimated from a longer time around the interval. */
typedef void interval_fn(void *arg, uint32_t node, int64_t ns, bool exact);
/* Calls `take` with the thread's time in each node from `from` to `to`. These times add up to `to`
 * - `from`. */
void interval_for_each(const struct intervals *s, uint32_t process, uint32_t slot, int64_t from,
		       int64_t to, interval_fn *take, void *arg);

#endif
