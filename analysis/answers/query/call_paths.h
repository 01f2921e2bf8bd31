/* SPDX-License-Identifier: BSD-3-Clause */
/* call_paths.h - the call paths of an experiment: the nodes of the call graph as commands show
 * them. Nodes that the runtime adds below a region belong to the call path of that region. A region
 * that calls itself, directly or through others, is one call path at all depths:
 *
 *     nodes of the call graph          call path       its name
 *     main/solve/spend_ms              the same        solve > spend_ms
 *     main/setup/spend_ms              the same        setup > spend_ms
 *     main/f, main/f/g/f               main/f          f
 *
 * The name tells the call path apart from all others of the same region: it is the shortest end of
 * the path that no other path of the region has. If the call path ends with a call in a file of MPI
 * wrappers, the name begins with a caller outside of the file. */
#ifndef SIS_ANALYSIS_CALL_PATHS_H
#define SIS_ANALYSIS_CALL_PATHS_H

#include "base/map.h"
#include "base/mem.h"
#include "repository/database/repository.h"

#define NO_PATH UINT32_MAX

struct call_path {
	uint32_t parent; /* NO_PATH: only the root of the call graph is above */
	uint32_t name;   /* of its region, in call_paths.name */
	uint32_t length; /* number of its regions */
	uint32_t shown;  /* number of its last regions that its name has; set by call_paths_name */
	/* for a call in a file of MPI wrappers (mpi_wrappers.h): the number of its last regions,
	 * from the first caller outside of the file on; 0: it is no such call */
	uint32_t outside;
	int64_t region;
	int64_t id;      /* id of the first node that belongs to it */
};
struct call_paths {
	VEC(struct call_path) path; /* parents first */
	VEC(char *) name;
	struct map by_region;       /* (parent, region) -> index in path */
	struct strmap by_name;      /* -> index in name */
};

/* The call path of a node of `region` that is called from call path `parent`. A new call path is
 * added, and gets the id of the node. */
uint32_t call_paths_add(struct call_paths *paths, uint32_t parent, int64_t region, const char *name,
			int64_t node);
/* Computes the names of all call paths. */
void call_paths_name(struct call_paths *paths);
/* The last n regions of a call path, joined by a separator. The caller frees the text. */
char *call_path_text(const struct call_paths *paths, uint32_t path, uint32_t n,
		     const char *separator);
void call_paths_release(struct call_paths *paths);

/* SQL: the name of a cause, from the leaf of the waits, the name of the cause's call path and the
 * type of its region. If the cause is the root, the cause is not recorded. But for waits at the
 * begin and the end of a run, the root means that a process began later, or went on for longer. */
#define CAUSE_NAME(leaf, name, type) \
	"CASE WHEN " type " = 'RT_RUN' AND " leaf " NOT IN " LEAVES("IS_OF_ENDS") " " \
	"THEN 'not recorded' ELSE " name " END"
/* SQL: the text after CAUSE_NAME if the culprit mostly slept in the cause's call path, or had no
 * processor. */
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
