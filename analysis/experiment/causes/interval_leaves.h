/* SPDX-License-Identifier: BSD-3-Clause */
/* interval_leaves.h - what each processing unit did in an interval of the run: useful work and the
 * leaves of the overhead tree, as experiment/classify/ books them for the whole run. Needs a
 * trace. */
#ifndef SIS_ANALYSIS_INTERVAL_LEAVES_H
#define SIS_ANALYSIS_INTERVAL_LEAVES_H

#include "experiment/causes/single_waits.h"
#include "experiment/read/trace_files.h"

/* Time of a unit in a node. The list may have several entries with the same node, unit and leaf.
 * Their times add up. */
struct interval_leaf {
	uint32_t node, pu;
	enum sis_overhead leaf;  /* O_NONE: useful work */
	int64_t ns;
};
struct interval_leaves {
	VEC(struct interval_leaf) leaf;
	/* by unit: the time of the interval in which it is not known what the unit did. `leaf`
	 * contains this time, too, as UNMEASURED in the root. */
	VEC(int64_t) unknown_ns;
	/* by unit: an upper bound of the time that may belong to another leaf than stated */
	VEC(int64_t) uncertain_ns;
	uint64_t traces_without_profile;
};

/* Finds the leaves from `from_ns` to `to_ns` after the begin of the run. `to_ns` is not after the
 * end of the run. The times of each unit add up to the length of the interval. The times of two
 * consecutive intervals add up to those of their union, but for rounding. If the interval is the
 * whole run, the times are the bookings of experiment/classify/, but for rounding, and for time in
 * which it is not known what a unit did. */
void interval_leaves_find(struct interval_leaves *l, const struct single_waits *waits,
			  const struct timelines *timelines, struct traces *traces,
			  int64_t from_ns, int64_t to_ns);
void interval_leaves_release(struct interval_leaves *l);

#endif
