/* SPDX-License-Identifier: BSD-3-Clause */
/* names.c - finds the numbers that regions, nodes and units keep in all looks (names.h). Each
 * struct is used by one thread at a time. */
#include "live/look/names.h"

#include <stdlib.h>

/* A region is identified by its lines in the source, function, type and name. Its key is not used,
 * because the file name in the key is relative to a directory that changes when a library is
 * loaded. */
static uint32_t region_number(struct live_names *names, const struct region *region)
{
	bool fresh;
	char *identity = mem_print("%s|%u.%u-%u.%u|%s|%d|%s", region->path ?: region->file,
				   region->line_start, region->column_start, region->line_end,
				   region->column_end, region->function, region->type,
				   region->name);
	uint32_t i = strmap_put(&names->region_by_identity, identity, names->region.n, &fresh);
	free(identity);
	if (fresh)
		*vec_push(&names->region) = (struct live_region){
			.name = mem_string(region->name),
			.file = mem_string(region->file),
			.function = mem_string(region->function),
			.type = region->type,
			.line = region->line_start,
		};
	return i;
}

uint32_t *live_names_nodes(struct live_names *names, const struct experiment *x)
{
	const struct experiment_model *m = &x->model;
	uint32_t *region = mem_alloc(m->region.n, sizeof *region),
		 *number = mem_alloc(m->node.n, sizeof *number);
	for (size_t i = 0; i < m->region.n; i++)
		region[i] = region_number(names, &m->region.at[i]);
	for (uint32_t n = 0; n < m->node.n; n++) { /* parents come before children */
		const struct drg_node *node = &m->node.at[n];
		struct live_node path = { region[node->region],
					  node->parent == NONE ? NONE : number[node->parent] };
		bool fresh;
		number[n] = map_put(&names->node_by_path, path.parent, path.region, names->node.n,
				    &fresh);
		if (fresh)
			*vec_push(&names->node) = path;
	}
	free(region);
	return number;
}

uint32_t *live_names_pus(struct live_names *names, const struct experiment *x)
{
	const struct experiment_model *m = &x->model;
	uint32_t *number = mem_alloc(m->pu.n, sizeof *number);
	for (size_t i = 0; i < m->pu.n; i++) {
		const struct sis_profile_header *head =
			&m->process.at[m->pu.at[i].process].profile.head;
		uint32_t slot = m->pu.at[i].slot;
		char *identity = mem_print("%u.%u@%s", head->pid, slot, head->host);
		bool fresh;
		number[i] = strmap_put(&names->pu_by_identity, identity, names->pu.n, &fresh);
		free(identity);
		if (fresh)
			*vec_push(&names->pu) = (struct live_pu){ mem_string(head->host),
								  head->pid, slot };
	}
	return number;
}

char *live_names_path(const struct live_names *names, uint32_t node, unsigned most)
{
	char *path = NULL;
	for (unsigned i = 0; i < most && node != NONE; i++) {
		const struct live_node *at = &names->node.at[node];
		const char *name = names->region.at[at->region].name;
		if (path && at->parent == NONE)
			break; /* the root is not shown: it is the run, around everything */
		char *longer = path ? mem_print("%s > %s", name, path) : mem_string(name);
		free(path);
		path = longer;
		node = at->parent;
	}
	return path ? path : mem_string("");
}

void live_names_release(struct live_names *names)
{
	for (size_t i = 0; i < names->region.n; i++)
		free(names->region.at[i].name), free(names->region.at[i].file),
			free(names->region.at[i].function);
	for (size_t i = 0; i < names->pu.n; i++)
		free(names->pu.at[i].host);
	vec_free(&names->region), vec_free(&names->node), vec_free(&names->pu);
	strmap_free(&names->region_by_identity), strmap_free(&names->pu_by_identity);
	map_free(&names->node_by_path);
	*names = (struct live_names){ 0 };
}
