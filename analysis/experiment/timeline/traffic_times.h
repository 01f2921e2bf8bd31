/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic_times.h - the calls that sent and received data in a run, and what was sent and received
 * in an interval. */
#ifndef SIS_ANALYSIS_TRAFFIC_TIMES_H
#define SIS_ANALYSIS_TRAFFIC_TIMES_H

#include "experiment/model/experiment.h"
#include "experiment/read/trace_files.h"

enum traffic_time_kind {
	TRAFFIC_SENDS,    /* the call sends, or is one of a collective operation */
	TRAFFIC_RECEIVES, /* the call receives */
	/* a call in the trace. Not all calls of its node and unit have records. So all calls of
	 * this node and unit in the trace together stand for its estimated rows */
	TRAFFIC_STANDS_FOR,
};
struct traffic_time {
	uint32_t traffic; /* row of x->match.traffic; TRAFFIC_STANDS_FOR: its first estimated row */
	enum traffic_time_kind kind;
	int64_t enter, exit;
	uint64_t bytes;   /* of a call that sent a message */
};
typedef VEC(struct traffic_time) traffic_times;

/* Lists the calls. The experiment must have been matched with keeps_traffic_calls. Reads the traces
 * only if rows are estimated. */
void traffic_times_list(traffic_times *list, const struct experiment *x, struct traces *traces);
/* For each row of x->match.traffic, whether it has more calls than there are records. Such a row is
 * an estimate. The caller frees the list. */
bool *traffic_list_grown(const struct experiment *x);

/* Sums over the calls of a row in the whole run. The values of the row are divided among intervals
 * in proportion to the values of its calls. */
struct traffic_basis {
	bool by_trace;           /* the sums are of calls of kind TRAFFIC_STANDS_FOR */
	int64_t calls, bytes, ns, receive_ns;
};
typedef VEC(struct traffic_basis) traffic_bases; /* indexed as x->match.traffic */
void traffic_bases_list(traffic_bases *bases, const struct experiment *x,
			const traffic_times *list);

/* The part of each row of x->match.traffic in an interval: the calls that began in the interval,
 * their bytes, and the time of all calls of the row within the interval. A value that is not known
 * for single calls is divided in proportion to the number of calls, or to their times. Then the
 * part is `estimated`. */
struct traffic_parts { VEC(struct traffic) part; }; /* indexed as x->match.traffic */

/* Finds the parts from `from_ns` up to, but not including, `to_ns` after the begin of the run.
 * to_ns < 0: up to the end of the run. Parts of consecutive intervals add up, but for rounding. The
 * parts of the whole run are x->match.traffic. */
void traffic_parts_find(struct traffic_parts *p, const struct experiment *x,
			const traffic_times *list, int64_t from_ns, int64_t to_ns);
void traffic_parts_release(struct traffic_parts *p);

#endif
