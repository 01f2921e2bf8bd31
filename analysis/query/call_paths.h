/* SPDX-License-Identifier: BSD-3-Clause */
/* call_paths.h - the call paths of an experiment: the nodes of its call graph as commands show
 * them. Nodes that the runtime adds below a region belong to the call path of that region. A region
 * that calls itself, directly or through others, is one call path at all depths:
 *
 *     nodes of the call graph          call path       its name
 *     main/solve/spend_ms              the same        solve > spend_ms
 *     main/setup/spend_ms              the same        setup > spend_ms
 *     main/f, main/f/g/f               main/f          f
 *
 * The name tells the call path apart from all others of the same region: it is the shortest end of
 * the path that none of them has. That of a call in a file of MPI wrappers begins with a caller
 * outside of the file. */
#ifndef SIS_ANALYSIS_CALL_PATHS_H
#define SIS_ANALYSIS_CALL_PATHS_H

#include "base/map.h"
#include "base/mem.h"
#include "repository/repository.h"

#define NO_PATH UINT32_MAX

struct call_path {
	uint32_t parent; /* NO_PATH: it has none but the root of the call graph */
	uint32_t name;   /* of its region, in call_paths.name */
	uint32_t length; /* number of regions on it */
	uint32_t shown;  /* regions in its name, counted from the end; call_paths_name sets it */
	/* of a call in a file of MPI wrappers (mpi_wrappers.h): the regions from the first caller
	 * outside of the file, counted from the end; 0: it is none */
	uint32_t outside;
	int64_t region;
	int64_t id;      /* of the first node that belongs to it */
};
struct call_paths {
	VEC(struct call_path) path; /* parents first */
	VEC(char *) name;
	struct map by_region;       /* (parent, region) -> index in path */
	struct strmap by_name;      /* -> index in name */
};

/* The call path of a node: of `region`, called from call path `parent`. It is added if it is new,
 * and then has the id of the node. */
uint32_t call_paths_add(struct call_paths *paths, uint32_t parent, int64_t region, const char *name,
			int64_t node);
/* Finds the names of all call paths. */
void call_paths_name(struct call_paths *paths);
/* The last n regions of a call path, joined by a separator. The caller frees the text. */
char *call_path_text(const struct call_paths *paths, uint32_t path, uint32_t n,
		     const char *separator);
void call_paths_release(struct call_paths *paths);

/* SQL: the name of a cause, from the leaf of the waits, the name of the cause's call path and the
 * type of its region. The root means that the cause is not recorded. When a run begins and ends, it
 * means that a process began later, or went on for longer. */
#define CAUSE_NAME(leaf, name, type) \
	"CASE WHEN " type " = 'RT_RUN' AND " leaf " NOT IN ('OSYNC_INIT', 'OSYNC_FINWAIT') " \
	"THEN 'not recorded' ELSE " name " END"
/* SQL: what follows this name if the culprit mostly slept there, or had no processor. */
#define CAUSE_STATE(asleep, no_processor, ns) \
	"CASE WHEN 2 * (" asleep ") > (" ns ") THEN ', asleep' " \
	"WHEN 2 * (" no_processor ") > (" ns ") THEN ', without a processor' ELSE '' END"

/* Makes these temporary tables for an experiment, unless they are there already:
 *
 *     temp.call_path(id, experiment, parent, region, path, name, outside)
 *         parent: id of the call path without the last region, 0: none; path: all regions, joined
 *         by '/'; name: joined by ' > '; outside: of a call in a file of MPI wrappers, the path
 *         from the first caller outside of the file, joined by ' > '; else NULL
 *     temp.call_path_of(node, call_path)
 *         the call path of each node
 *     temp.path_cause(experiment, call_path, leaf, cause, ns, passed_ns, indirect_ns,
 *                     wrong_order_ns, estimated_ns, no_processor_ns, asleep_ns, units, pu, most_ns)
 *         the columns of view wait_cause, by call path: `cause` caused the waits in `call_path` */
int call_paths_load(struct repo *repo, int64_t experiment, struct err *err);

#endif
