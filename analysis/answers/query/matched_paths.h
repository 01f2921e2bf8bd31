/* SPDX-License-Identifier: BSD-3-Clause */
/* matched_paths.h - the call paths of two runs, matched, to find the work that two runs have in
 * common.
 *
 *     nodes of the sequential run      of the parallel run                 matched path
 *     main/solve/kernel                main/solve/omp parallel/kernel      main/solve/kernel
 *     main/solve/for                   main/solve/omp parallel for         main/solve
 *     main/kernel                      main/solve_mpi/kernel               main/kernel
 *
 * Regions are paired by their keys (region_times.h).
 * - Calls of MPI and of pthreads, and what the runtime adds, are in no path, because a sequential
 *   program cannot have them. Also in no path are constructs of OpenMP whose own time is overhead,
 *   or that only one run has. The work in all of these regions counts for the path around them.
 * - A function with which a thread begins counts as called by main. The body of a task is work of
 *   the function that has the task, because any thread may execute it anywhere.
 * - A region that only one run measured counts for the path around it, because its text is part of
 *   a function that both versions have. Only a function can be new.
 * - A function that only one version has is a path of its own. A region that the new function calls
 *   is matched as if the new function's caller called this region, unless the same run also has
 *   that path outside of new functions.
 * - A region that calls itself is one path at all depths (call_paths.h).
 *
 * LIMIT: a function that one version measures, and the other one has without measuring it, counts
 * as new if the text of its file differs between the versions. */
#ifndef SIS_ANALYSIS_MATCHED_PATHS_H
#define SIS_ANALYSIS_MATCHED_PATHS_H

#include "answers/query/call_graph.h"
#include "answers/query/call_paths.h"

#define NO_MATCH UINT32_MAX

struct matched_path { /* both by run; NO_MATCH: the run has no such path */
	uint32_t region[2];      /* in call_graph.region */
	uint32_t node[2];        /* the first node of the path, in call_graph.node */
};
struct matched_paths {
	struct call_paths paths; /* parents first; the first one is the root, which no text shows */
	VEC(struct matched_path) match; /* by number of the path */
	uint32_t *of_node[2];    /* by run and node: the path for which the node's work counts */
};

/* Both runs must have a root. */
void matched_paths_load(struct matched_paths *matched, const struct call_graph *first,
			const struct call_graph *second);
void matched_paths_release(struct matched_paths *matched);
/* The regions of a path, joined by a separator. The caller frees the text. */
char *matched_path_text(const struct matched_paths *matched, uint32_t path, const char *separator);
/* Whether the region of a node is the last region of its path. If not, the node is inside this
 * region. */
bool matched_paths_ends(const struct matched_paths *matched, const struct call_graph *graph,
			int run, uint32_t node);

#endif
