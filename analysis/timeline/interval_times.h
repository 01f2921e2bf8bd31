/* SPDX-License-Identifier: BSD-3-Clause */
/* interval_times.h - what each processing unit did in an interval of the run, exactly, from the
 * trace: activations that began in it, and the time of activations within it. */
#ifndef SIS_ANALYSIS_INTERVAL_TIMES_H
#define SIS_ANALYSIS_INTERVAL_TIMES_H

#include "model/experiment.h"
#include "read/trace_files.h"

/* A unit in a node, as struct summary has it for the whole run. Activations inside activations of
 * the same node count as calls, and their time once. */
struct interval_time { uint32_t node, pu; uint64_t calls, subs; int64_t incl_ns, excl_ns; };
struct interval_times {
	VEC(struct interval_time) time; /* by unit, then node */
	/* by unit: time of the interval, within its process's, in which it is not known what the
	 * unit did */
	VEC(int64_t) unknown_ns;
	uint64_t traces_without_profile;
};

/* From `from_ns` to `to_ns` after the begin of the run, without the end; to_ns < 0: up to its
 * end. */
void interval_times_read(struct interval_times *t, const struct experiment *x,
			 struct traces *traces, int64_t from_ns, int64_t to_ns);
void interval_times_release(struct interval_times *t);

#endif
