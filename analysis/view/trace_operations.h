/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_operations.h - what the page needs to restrict messages and waits to any interval of a run,
 * as `messages --from --to` and `waits --from --to` do: tiles of calls (timeline/traffic_times.h)
 * and of single waits (causes/cost_pieces.h), and the rows of the whole run that they belong to. */
#ifndef SIS_ANALYSIS_TRACE_OPERATIONS_H
#define SIS_ANALYSIS_TRACE_OPERATIONS_H

#include "query/traced_leaves.h"
#include "timeline/traffic_times.h"
#include "view/trace_tiles.h"
#include "view/traced_nodes.h"

/* In all rows, `node` and `culprit_node` are places in struct traced_nodes, and units are those of
 * the model. */

/* A row of the communication matrix. Events of TILE_CALLS have its place; their first value are the
 * bytes. */
struct traced_message {
	uint32_t unit, node, communicator, target; /* communicator: its number; target NONE: none */
	uint64_t calls, bytes;
	int64_t ns, receive_ns;
	bool estimated;
	struct traffic_basis basis;
};
/* A victim and its culprit. An event of TILE_WAITS has the index of its pair, and three values: the
 * victim's part of the wait, the part of the idle units of the victim's process, and the time of
 * which these are parts. This time is the length of the wait, or more if the wait also stands for
 * waits that were not recorded. `ns` and `idle_ns` are of all events of the pair. */
struct traced_pair {
	uint32_t unit, node, culprit, culprit_node;
	enum sis_overhead leaf;
	int64_t ns, idle_ns;
};
/* How long a unit was idle because the initial thread of its process waited in the node. */
struct traced_idle { uint32_t unit, node; enum sis_overhead leaf; int64_t ns; };

struct trace_operations {
	VEC(struct traced_message) message;
	VEC(struct traced_pair) pair;
	VEC(struct traced_idle) idle; /* by unit */
};

/* Fills x->causes, too, but for what is found after pairs. `x` was matched with
 * keeps_traffic_calls, and classified. */
void trace_operations_make(struct trace_operations *o, struct tiles *tiles,
			   struct traced_nodes *nodes, struct experiment *x,
			   const struct traced_leaves *sources, struct traces *traces);
void trace_operations_release(struct trace_operations *o);

#endif
