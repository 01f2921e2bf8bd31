/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_leaves.h - the data by which the page divides any interval of a run among useful work and
 * leaves, as `overhead --from --to` does (experiment/causes/leaf_parts.c). Tiles have the pieces of
 * time that the page cannot derive from activations. Lists have the times and bookings of the whole
 * run, because an interval is divided in the proportions of the whole run. */
#ifndef SIS_ANALYSIS_TRACE_LEAVES_H
#define SIS_ANALYSIS_TRACE_LEAVES_H

#include "experiment/causes/leaf_parts.h"
#include "answers/query/traced_leaves.h"
#include "page/view/trace_tiles.h"
#include "page/view/traced_nodes.h"

/* `node` is an index of struct traced_nodes, or NONE if it is not known. `ns` is the time of a unit
 * without its single waits. */
struct trace_time { uint32_t unit, node; enum unit_state state; int64_t ns; };
/* The bookings of a unit without its single waits, by unit, state and node. */
struct trace_share {
	uint32_t unit, node;
	enum unit_state state;
	enum sis_overhead leaf;
	int64_t ns;
};
/* Single waits that are booked for a node and leaf. Of their time `ns`, booked_ns is booked. */
struct trace_wait {
	uint32_t unit, node;
	enum unit_state state;   /* IDLE: the initial thread waited while the unit was idle */
	enum sis_overhead leaf;
	int64_t ns, booked_ns;
};

struct trace_leaves {
	bool exists;             /* false if the run has too many bookings for the page */
	size_t bookings;
	VEC(struct trace_time) time;
	VEC(struct trace_share) share;
	VEC(struct trace_wait) wait;
};

void trace_leaves_make(struct trace_leaves *leaves, struct tiles *tiles, struct traced_nodes *nodes,
		       const struct traced_leaves *sources, struct traces *traces);
/* The approximate bytes that the rows take in a page, without tiles. */
size_t trace_leaves_size(const struct trace_leaves *leaves);
/* Drops the lists. Only the tiles stay. */
void trace_leaves_drop(struct trace_leaves *leaves);
void trace_leaves_release(struct trace_leaves *leaves);

#endif
