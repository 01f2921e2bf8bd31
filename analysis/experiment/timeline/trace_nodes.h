/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_nodes.h - finds the process of a trace, and maps region ids of the trace to nodes of the
 * process's profile. */
#ifndef SIS_ANALYSIS_TRACE_NODES_H
#define SIS_ANALYSIS_TRACE_NODES_H

#include "experiment/model/experiment.h"
#include "experiment/read/trace_read.h"

/* The process that wrote the trace; NULL if it has no profile. */
const struct process *trace_process(const struct experiment *x, const struct trace *trace);

struct trace_nodes {
	const struct process *process;
	VEC(uint32_t) region;   /* of the experiment, by id; NONE: the trace does not name the id */
	uint32_t *root;         /* by slot; NONE: the slot has no tree */
	uint32_t *region_of;    /* by node; NONE: unreachable */
	struct map child;       /* (parent, region): the parent's first child of this region */
	/* by node: the next child with the same parent and region, but another origin; else NONE */
	uint32_t *next_same;
	uint32_t *first_child, *next_child; /* by node; NONE: no more */
};

void trace_nodes_init(struct trace_nodes *n, const struct experiment *x, const struct process *p,
		      const struct trace *trace);
void trace_nodes_release(struct trace_nodes *n);
/* The node in which an activation of a region is counted if the region is entered in `parent`. It
 * is a child of `parent`, or the node into which a recursion is folded. If several children have
 * the region, the first of these children is returned. NONE if the node is not known. */
uint32_t trace_nodes_enter(const struct trace_nodes *n, uint32_t parent, uint32_t id);

#endif
