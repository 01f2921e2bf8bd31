/* SPDX-License-Identifier: BSD-3-Clause */
/* names.h - numbers of regions, nodes and processing units that stay the same in all looks. Each
 * look has its own experiment, in which numbers change when a process or a library is added. */
#ifndef SIS_ANALYSIS_LIVE_NAMES_H
#define SIS_ANALYSIS_LIVE_NAMES_H

#include "experiment/model/experiment.h"

struct live_region {
	char *name, *file, *function; /* file and function are "" if the runtime adds the region */
	enum sis_region_type type;
	uint32_t line;
};

struct live_node { uint32_t region, parent; }; /* parent is NONE for the root */

struct live_pu { /* a processing unit */
	char *host;
	uint32_t pid, slot;
};

struct live_names {
	VEC(struct live_region) region;
	VEC(struct live_node) node;
	VEC(struct live_pu) pu;
	struct strmap region_by_identity, pu_by_identity;
	struct map node_by_path;      /* (parent, region) */
};

/* The numbers of all nodes, or processing units, of an experiment. New ones are added to `names`.
 * The caller frees the result. */
uint32_t *live_names_nodes(struct live_names *names, const struct experiment *x);
uint32_t *live_names_pus(struct live_names *names, const struct experiment *x);
void live_names_release(struct live_names *names);

/* At most `most` last regions of the node's path: "main > solve > MPI_Recv". The caller frees the
 * result. */
char *live_names_path(const struct live_names *names, uint32_t node, unsigned most);

#endif
