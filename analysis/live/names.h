/* SPDX-License-Identifier: BSD-3-Clause */
/* names.h - regions, nodes and processing units that keep their numbers from look to look. Each
 * look has an experiment of its own, in which numbers change when a process or a library joins. */
#ifndef SIS_ANALYSIS_LIVE_NAMES_H
#define SIS_ANALYSIS_LIVE_NAMES_H

#include "model/experiment.h"

struct live_region {
	char *name, *file, *function; /* file, function: "" for what the runtime adds */
	enum sis_region_type type;
	uint32_t line;
};

struct live_node { uint32_t region, parent; }; /* parent: NONE, the root */

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

/* The numbers of what an experiment has, one for each of its nodes and processing units. The caller
 * frees them. */
uint32_t *live_names_nodes(struct live_names *names, const struct experiment *x);
uint32_t *live_names_pus(struct live_names *names, const struct experiment *x);
void live_names_release(struct live_names *names);

/* The last regions of the node's path, at most `most`: "main > solve > MPI_Recv". The caller frees
 * it. */
char *live_names_path(const struct live_names *names, uint32_t node, unsigned most);

#endif
