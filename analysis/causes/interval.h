/* SPDX-License-Identifier: BSD-3-Clause */
/* interval.h - in which regions a thread was during an interval. */
#ifndef SIS_ANALYSIS_INTERVAL_H
#define SIS_ANALYSIS_INTERVAL_H

#include "model/phases.h"
#include "timeline/timeline.h"

#define OUTSIDE_MPI (NONE - 1) /* in place of a node: outside of MPI, and no more is known */

struct intervals {
	const struct experiment *x;
	const struct timelines *timelines;
	struct { phase_spans phase; } *lane; /* of each process */
};

void intervals_init(struct intervals *s, const struct experiment *x, const struct timelines *t);
void intervals_release(struct intervals *s);

/* `node` of the process's profile, or OUTSIDE_MPI. `exact`: not estimated from a longer time around
 * the interval. */
typedef void interval_fn(void *arg, uint32_t node, int64_t ns, bool exact);
/* What is given to `take` adds up to `to` - `from`. */
void interval_for_each(const struct intervals *s, uint32_t process, uint32_t slot, int64_t from,
		       int64_t to, interval_fn *take, void *arg);

#endif
