/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_nodes.h - which process a trace is of; from its region ids to the nodes of that profile. */
#ifndef SIS_ANALYSIS_TRACE_NODES_H
#define SIS_ANALYSIS_TRACE_NODES_H

#include "model/experiment.h"
#include "read/trace_read.h"

/* The process that wrote the trace; NULL: its profile is not there. */
const struct process *trace_process(const struct experiment *x, const struct trace *trace);

struct trace_nodes {
	const struct process *process;
	VEC(uint32_t) region;   /* of the experiment, by id; NONE: the trace does not name the id */
	uint32_t *root;         /* by slot; NONE */
	uint32_t *region_of;    /* by node; NONE: unreachable */
	struct map child;       /* (parent, region): its first child of this region */
	/* by node: the next child with the same parent and region, but another origin; NONE */
	uint32_t *next_same;
	uint32_t *first_child, *next_child; /* by node; NONE */
};

void trace_nodes_init(struct trace_nodes *n, const struct experiment *x, const struct process *p,
		      const struct trace *trace);
void trace_nodes_release(struct trace_nodes *n);
/* The node in which an activation of the region is counted that is entered in `parent`: a child, or
 * the node that a recursion is folded into. If several children have the region, it is the first of
 * them. NONE: not known. */
uint32_t trace_nodes_enter(const struct trace_nodes *n, uint32_t parent, uint32_t id);

#endif
