/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_nodes.c - maps region ids of a trace to nodes. Owns its tables; called by one thread.
 *
 * Texts in the trace say what its ids mean. A region of the source is found by the checksum of its
 * description, a region of the runtime by its name. */
#include "experiment/timeline/trace_nodes.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_IDS = 1 << 24 }; /* a larger id is damage */

const struct process *trace_process(const struct experiment *x, const struct trace *trace)
{
	for (size_t i = 0; i < x->model.process.n; i++) {
		const struct sis_profile_header *h = &x->model.process.at[i].profile.head;
		if (h->pid == trace->head.pid && strcmp(h->host, trace->head.host) == 0 &&
		    h->start.ticks == trace->head.start.ticks)
			return &x->model.process.at[i];
	}
	return NULL;
}

/* -- regions of ids ---------------------------------------------------------------------------- */

static void set_region(struct trace_nodes *n, uint64_t id, uint32_t region)
{
	if (id >= MOST_IDS)
		return;
	while (n->region.n <= id)
		*vec_push(&n->region) = NONE;
	n->region.at[id] = region;
}

static uint32_t region_by_key(const struct experiment *x, const char *kind, const char *name,
			      size_t length)
{
	char *key = mem_print("%s:%.*s", kind, (int)length, name);
	uint32_t region = strmap_get(&x->model.region_by_identity, key);
	free(key);
	return region;
}

static void read_builtin(struct trace_nodes *n, const struct experiment *x,
			 const struct trace_text *text)
{
	const char *name = text->text, *end = name + strnlen(name, text->length);
	for (uint32_t id = 1; name < end; id++) {
		size_t length = strcspn(name, ",");
		uint32_t region = region_by_key(x, "type", name, length);
		if (region == MAP_NONE)
			region = region_by_key(x, "routine", name, length);
		set_region(n, id, region);
		name += length + (name[length] == ',');
	}
}

static void read_unit(struct trace_nodes *n, const struct experiment *x,
		      const struct trace_text *text)
{
	struct sis_profile_unit tu;
	if (text->length < sizeof tu)
		return;
	memcpy(&tu, text->text, sizeof tu);
	if (tu.length > text->length - sizeof tu || tu.first_id >= MOST_IDS)
		return;
	uint64_t description = sis_checksum(text->text + sizeof tu, tu.length);
	uint32_t k = 0;
	for (uint32_t r; (r = map_get(&x->model.region_by_text, description, k)) != MAP_NONE; k++)
		set_region(n, (uint64_t)tu.first_id + k, r);
}

/* -- children of nodes ------------------------------------------------------------------------- */

static void list_children(struct trace_nodes *n, const struct experiment *x)
{
	const struct process *p = n->process;
	uint32_t *last = mem_alloc(p->profile.node.n + 1, sizeof *last);
	for (size_t i = 0; i < p->ordered; i++) {
		uint32_t node = p->order[i], parent = p->profile.node.at[node].parent, first;
		bool fresh;
		if (p->global[node] == NONE)
			continue;
		n->region_of[node] = x->model.node.at[p->global[node]].region;
		if (parent == NONE) {
			n->root[p->profile.node.at[node].slot] = node;
			continue;
		}
		n->next_child[node] = n->first_child[parent];
		n->first_child[parent] = node;
		first = map_put(&n->child, parent, n->region_of[node], node, &fresh);
		if (!fresh)
			n->next_same[last[first]] = node;
		last[first] = node;
	}
	free(last);
}

static uint32_t *nones(size_t n)
{
	uint32_t *list = mem_alloc(n, sizeof *list);
	memset(list, 0xff, n * sizeof *list);
	return list;
}

void trace_nodes_init(struct trace_nodes *n, const struct experiment *x, const struct process *p,
		      const struct trace *trace)
{
	size_t nodes = p->profile.node.n + 1;
	*n = (struct trace_nodes){
		.process = p,
		.root = nones(p->slots + (size_t)1),
		.region_of = nones(nodes),
		.next_same = nones(nodes),
		.first_child = nones(nodes),
		.next_child = nones(nodes),
	};
	for (size_t i = 0; i < trace->text.n; i++) {
		if (trace->text.at[i].kind == SIS_TRACE_BUILTIN)
			read_builtin(n, x, &trace->text.at[i]);
		else if (trace->text.at[i].kind == SIS_TRACE_UNIT)
			read_unit(n, x, &trace->text.at[i]);
	}
	list_children(n, x);
}

void trace_nodes_release(struct trace_nodes *n)
{
	vec_free(&n->region);
	map_free(&n->child);
	free(n->root), free(n->region_of), free(n->next_same);
	free(n->first_child), free(n->next_child);
}

uint32_t trace_nodes_enter(const struct trace_nodes *n, uint32_t parent, uint32_t id)
{
	uint32_t region = id < n->region.n ? n->region.at[id] : NONE;
	if (parent == NONE || region == NONE)
		return NONE;
	uint32_t node = map_get(&n->child, parent, region);
	if (node != MAP_NONE)
		return node;
	const struct profile_node *at = n->process->profile.node.at;
	for (node = parent; node != NONE; node = at[node].parent)
		if (at[node].folds && n->region_of[node] == region)
			break;
	return node;
}
