/* SPDX-License-Identifier: BSD-3-Clause */
/* interval_times.h - finds in the trace exactly what each processing unit did in an interval of the
 * run: the activations that began in the interval, and the time of activations within the
 * interval. */
#ifndef SIS_ANALYSIS_INTERVAL_TIMES_H
#define SIS_ANALYSIS_INTERVAL_TIMES_H

#include "experiment/model/experiment.h"
#include "experiment/read/trace_files.h"

/* The part of a struct summary in the interval: a unit in a node. Nested activations of the same
 * node count as calls, but their time counts once. */
struct interval_time { uint32_t node, pu; uint64_t calls, subs; int64_t incl_ns, excl_ns; };
struct interval_times {
	VEC(struct interval_time) time; /* entries of a unit follow each other, sorted by node */
	/* by unit: time in the interval, during the life of its process, in which it is not known
	 * what the unit did */
	VEC(int64_t) unknown_ns;
	uint64_t traces_without_profile;
};

/* Reads the interval from `from_ns` up to, but not including, `to_ns` after the begin of the run.
 * to_ns < 0: up to the end of the run. */
void interval_times_read(struct interval_times *t, const struct experiment *x,
			 struct traces *traces, int64_t from_ns, int64_t to_ns);
void interval_times_release(struct interval_times *t);

#endif
