/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic_times.h - when what was sent in a run was sent and received: calls, and what is known of
 * an interval from them. */
#ifndef SIS_ANALYSIS_TRAFFIC_TIMES_H
#define SIS_ANALYSIS_TRAFFIC_TIMES_H

#include "model/experiment.h"
#include "read/trace_files.h"

enum traffic_time_kind {
	TRAFFIC_SENDS,    /* the call sent it, or is one of a collective operation */
	TRAFFIC_RECEIVES, /* the call received it */
	/* a call in the trace; with the others of its kind it stands for all rows of its node and
	 * unit that are estimated, because not all calls have records */
	TRAFFIC_STANDS_FOR,
};
struct traffic_time {
	uint32_t traffic; /* place in x->match.traffic; TRAFFIC_STANDS_FOR: of the first such row */
	enum traffic_time_kind kind;
	int64_t enter, exit;
	uint64_t bytes;   /* of a call that sent a message */
};
typedef VEC(struct traffic_time) traffic_times;

/* Lists them. The experiment must have been matched with keeps_traffic_calls. Reads the traces only
 * if rows are estimated. */
void traffic_times_list(traffic_times *list, const struct experiment *x, struct traces *traces);
/* Whether a row has more calls than there are records, so that it is an estimate. By place in
 * x->match.traffic; the caller frees it. */
bool *traffic_list_grown(const struct experiment *x);

/* Values of calls in the whole run. The values of a row are divided in proportion to them. */
struct traffic_basis {
	bool by_trace;           /* of calls that TRAFFIC_STANDS_FOR the row, which is estimated */
	int64_t calls, bytes, ns, receive_ns;
};
typedef VEC(struct traffic_basis) traffic_bases; /* as x->match.traffic */
void traffic_bases_list(traffic_bases *bases, const struct experiment *x,
			const traffic_times *list);

/* Each row of x->match.traffic as it is in an interval: the calls that began in it, their bytes,
 * and the time that all calls of the row spent in it. estimated: values that are not known of
 * single calls are divided in proportion to the number of calls, or to their times. */
struct traffic_parts { VEC(struct traffic) part; }; /* as x->match.traffic */

/* From `from_ns` to `to_ns` after the begin of the run, without the end; to_ns < 0: up to its end.
 * Parts of intervals that follow each other add up, but for rounding; that of the whole run is
 * x->match.traffic. */
void traffic_parts_find(struct traffic_parts *p, const struct experiment *x,
			const traffic_times *list, int64_t from_ns, int64_t to_ns);
void traffic_parts_release(struct traffic_parts *p);

#endif
