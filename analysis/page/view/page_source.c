/* SPDX-License-Identifier: BSD-3-Clause */
/* page_source.c - loads an experiment for the page. Owns the call graph and the maps. Called by one
 * thread. */
#include "page/view/page_source.h"

#include <stdlib.h>

#include "base/sort.h"
#include "repository/database/pu_leaves.h"

/* -- ids --------------------------------------------------------------------------------------- */

/* The ids of units, in the order of the graph's units. */
static const char units[] =
	"SELECT id "
	"FROM processing_unit "
	"WHERE experiment = ?1 "
	"ORDER BY (process << 24) + thread, id";
static const char communicators[] =
	"SELECT id FROM communicator WHERE experiment = ?1 ORDER BY number";

static int take_id(void *arg, const struct cell *row, struct err *err)
{
	struct map *map = arg;
	(void)err;
	map_put(map, (uint64_t)row[0].integer, 0, (uint32_t)map->n, NULL);
	return 0;
}

static int load_ids(struct page_source *s, struct err *err)
{
	for (uint32_t i = 0; i < s->graph.node.n; i++)
		map_put(&s->node, (uint64_t)s->graph.node.at[i].id, 0, i, NULL);
	for (uint32_t i = 0; i < s->graph.region.n; i++)
		map_put(&s->region, (uint64_t)s->graph.region.at[i].id, 0, i, NULL);
	if (repo_each(s->repo, take_id, &s->unit, err, units, "i", s->experiment) ||
	    repo_each(s->repo, take_id, &s->communicator, err, communicators, "i", s->experiment))
		return ERR_FAILED;
	return s->unit.n == s->graph.pu.n ?
		0 :
		err_fail(err, "two processing units of this experiment have the same number; "
			 "import it again");
}

/* -- data that the graph lacks ----------------------------------------------------------------- */

static const char source_nodes[] = "SELECT id, source_node FROM drg_node WHERE experiment = ?1";

static int take_source_node(void *arg, const struct cell *row, struct err *err)
{
	struct page_source *s = arg;
	uint32_t node = map_get(&s->node, (uint64_t)row[0].integer, 0),
		 above = map_get(&s->node, (uint64_t)row[1].integer, 0);
	(void)err;
	if (node != MAP_NONE)
		s->source_node[node] = above == MAP_NONE ? 0 : above;
	return 0;
}

static const char estimates[] =
	"SELECT e.drg_node, e.pu, e.excl_error_ns "
	"FROM drg_node n JOIN estimate e ON e.drg_node = n.id "
	"WHERE n.experiment = ?1";

/* Cells are ordered by unit, then node. */
static int take_estimate(void *arg, const struct cell *row, struct err *err)
{
	struct page_source *s = arg;
	const struct graph_cell *cell = s->graph.cell.at;
	uint32_t node = map_get(&s->node, (uint64_t)row[0].integer, 0),
		 unit = map_get(&s->unit, (uint64_t)row[1].integer, 0);
	size_t at = search_first(i, 0, s->graph.cell.n,
				 cell[i].at.pu < unit ||
					 (cell[i].at.pu == unit && cell[i].at.node < node));
	(void)err;
	if (at < s->graph.cell.n && cell[at].at.pu == unit && cell[at].at.node == node)
		s->error_ns[at] = row[2].integer;
	return 0;
}

/* -- order ------------------------------------------------------------------------------------- */

/* The numbers of the rows, ordered by node. Rows of the same node keep their order. Each row must
 * begin with its struct graph_key. */
static uint32_t *by_node(const void *rows, size_t stride, size_t n, size_t nodes)
{
	uint32_t *order = mem_alloc(n, sizeof *order);
	size_t *next = mem_alloc(nodes + 1, sizeof *next);
#define NODE(i) ((const struct graph_key *)((const char *)rows + (i) * stride))->node
	for (size_t i = 0; i < n; i++)
		next[NODE(i) + 1]++;
	for (size_t node = 1; node < nodes; node++)
		next[node] += next[node - 1];
	for (size_t i = 0; i < n; i++)
		order[next[NODE(i)]++] = (uint32_t)i;
#undef NODE
	free(next);
	return order;
}

void page_source_order(struct page_source *s)
{
	const struct call_graph *g = &s->graph;
	free(s->cell), free(s->part), free(s->value);
	s->cell = by_node(g->cell.at, sizeof *g->cell.at, g->cell.n, g->node.n);
	s->part = by_node(g->part.at, sizeof *g->part.at, g->part.n, g->node.n);
	s->value = by_node(g->value.at, sizeof *g->value.at, g->value.n, g->node.n);
}

int page_source_load(struct page_source *s, struct repo *repo, int64_t experiment, struct err *err)
{
	*s = (struct page_source){ .repo = repo, .experiment = experiment };
	if (call_graph_load(&s->graph, repo, experiment, GRAPH_PUS, -1, -1, err))
		return ERR_FAILED;
	s->nodes = s->graph.node.n;
	s->cells = s->graph.cell.n;
	s->source_node = mem_alloc(s->nodes, sizeof *s->source_node);
	s->error_ns = mem_alloc(s->cells, sizeof *s->error_ns);
	s->overhead = overhead_names();
	if (load_ids(s, err) ||
	    repo_each(repo, take_source_node, s, err, source_nodes, "i", experiment) ||
	    repo_each(repo, take_estimate, s, err, estimates, "i", experiment)) {
		page_source_release(s);
		return ERR_FAILED;
	}
	page_source_order(s);
	return 0;
}

void page_source_release(struct page_source *s)
{
	call_graph_release(&s->graph);
	map_free(&s->node), map_free(&s->unit);
	map_free(&s->region), map_free(&s->communicator);
	page_files_release(&s->files);
	page_differences_release(&s->differences);
	page_trace_release(&s->trace);
	free(s->source_node), free(s->error_ns), free(s->since_ns);
	free(s->cell), free(s->part), free(s->value);
	strmap_free(&s->overhead);
	*s = (struct page_source){ 0 };
}
