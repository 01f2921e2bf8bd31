/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_leaves.h - what the page needs to divide any interval of a run among useful work and
 * leaves, as `overhead --from --to` does (causes/leaf_parts.c). Tiles have the pieces of time that
 * the page cannot derive from activations. Lists have the times and bookings of the whole run. An
 * interval is divided in the proportions of the whole run. */
#ifndef SIS_ANALYSIS_TRACE_LEAVES_H
#define SIS_ANALYSIS_TRACE_LEAVES_H

#include "causes/leaf_parts.h"
#include "query/traced_leaves.h"
#include "view/trace_tiles.h"
#include "view/traced_nodes.h"

/* `node` is a place in struct traced_nodes. Times of a unit are without its single waits. */
struct trace_time { uint32_t unit, node; enum unit_state state; int64_t ns; }; /* NONE: not known */
/* What is booked for a unit without its single waits, by unit, state and node. */
struct trace_share {
	uint32_t unit, node;
	enum unit_state state;
	enum sis_overhead leaf;
	int64_t ns;
};
/* Single waits that are booked for a node and leaf; booked_ns: of `ns`. */
struct trace_wait {
	uint32_t unit, node;
	enum unit_state state;   /* IDLE: of the initial thread, while the unit was idle */
	enum sis_overhead leaf;
	int64_t ns, booked_ns;
};

struct trace_leaves {
	bool exists;             /* false: the run has too many bookings for the page */
	size_t bookings;
	VEC(struct trace_time) time;
	VEC(struct trace_share) share;
	VEC(struct trace_wait) wait;
};

void trace_leaves_make(struct trace_leaves *leaves, struct tiles *tiles, struct traced_nodes *nodes,
		       const struct traced_leaves *sources, struct traces *traces);
/* About how many bytes of a page its rows take, without those of tiles. */
size_t trace_leaves_size(const struct trace_leaves *leaves);
/* Only the tiles stay. */
void trace_leaves_drop(struct trace_leaves *leaves);
void trace_leaves_release(struct trace_leaves *leaves);

#endif
