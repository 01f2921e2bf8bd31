/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_operations.h - the data by which the page restricts messages and waits to any interval of a
 * run, as `messages --from --to` and `waits --from --to` do. Tiles have calls
 * (experiment/timeline/traffic_times.h) and single waits (experiment/causes/cost_pieces.h). Lists
 * have the rows of the whole run to which these calls and waits belong. */
#ifndef SIS_ANALYSIS_TRACE_OPERATIONS_H
#define SIS_ANALYSIS_TRACE_OPERATIONS_H

#include "answers/query/traced_leaves.h"
#include "experiment/timeline/traffic_times.h"
#include "page/view/trace_tiles.h"
#include "page/view/traced_nodes.h"

/* In all rows, `node` and `culprit_node` are indices of struct traced_nodes, and units are indices
 * of processing units of the model. */

/* A row of the communication matrix. An event of TILE_CALLS has the index of its row. The event's
 * first value is the number of bytes. */
struct traced_message {
	uint32_t unit, node, communicator, target; /* target: NONE if there is none */
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

/* Makes the rows and tiles. `x` must have been matched with keeps_traffic_calls, and classified.
 * Also fills x->causes, except what is computed after pairs. */
void trace_operations_make(struct trace_operations *o, struct tiles *tiles,
			   struct traced_nodes *nodes, struct experiment *x,
			   const struct traced_leaves *sources, struct traces *traces);
void trace_operations_release(struct trace_operations *o);

#endif
