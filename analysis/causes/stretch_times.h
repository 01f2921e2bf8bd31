/* SPDX-License-Identifier: BSD-3-Clause */
/* stretch_times.h - the times of a thread during an interval, by node of the experiment, without
 * its waits. */
#ifndef SIS_ANALYSIS_STRETCH_TIMES_H
#define SIS_ANALYSIS_STRETCH_TIMES_H

#include "causes/interval.h"
#include "causes/lacks.h"
#include "causes/single_waits.h"

struct thread_stretch {
	uint32_t process, slot;
	int64_t from, to;
	int64_t waits_from;      /* waits that ended before do not count */
};

/* There are two more places than nodes: see below. */
struct stretch_times {
	const struct intervals *intervals;
	const struct single_waits *waits;
	const struct lacks *lacks;
	int64_t *ns;             /* by place */
	bool *estimated, *listed;
	VEC(uint32_t) used;      /* places that are listed */
	uint32_t places;
	int64_t lack_ns, all_ns; /* without a processor; in all places */
	struct thread_stretch held;
};

void stretch_times_init(struct stretch_times *t, const struct intervals *intervals,
		       const struct single_waits *waits, const struct lacks *lacks);
void stretch_times_release(struct stretch_times *t);
/* Fills `t`, unless it holds these times already. */
void stretch_times_collect(struct stretch_times *t, const struct thread_stretch *stretch);

/* The part of the time in a node in which the thread was ready to run and had no processor. Where
 * it had none in the stretch is not known, so this is the same part of each place, but not more
 * than is booked on the node. */
int64_t stretch_times_lack(const struct stretch_times *t, uint32_t node);

/* The place for time outside of MPI of which no more is known. */
static inline uint32_t place_unlocated(const struct stretch_times *t) { return t->places - 2; }
/* The place for the thread's waits together. */
static inline uint32_t place_waiting(const struct stretch_times *t) { return t->places - 1; }

#endif
