/* call_graph.c - loads a call graph from the repository and walks it. Owns the graph; one thread.
 * The idea: the database sums (over units, or none of it) and orders, and nodes are numbered in the order of
 * drawing, so that every format is one loop over rows, with no recursion: programs recurse thousands deep. */
#include "call_graph.h"

#include <stdlib.h>
#include <string.h>

struct loader {
	struct call_graph *graph;
	VEC(int64_t) unit;   /* what a unit is called in the statements below, in order */
	VEC(int64_t) node;   /* ids of nodes in order; a parent's is less than its children's */
	VEC(int64_t) parent; /* and their parents' */
	uint32_t *place;     /* of the i-th in the order of drawing */
};

/* -- statements: ?1 experiment, ?2 graph_fold, ?3 process or negative, ?4 thread --------------------------------- */

#define UNIT " CASE ?2 WHEN 0 THEN (u.process << 24) + u.thread WHEN 1 THEN u.process << 24 ELSE 0 END "
#define UNITS " processing_unit u "
#define SUMMARIES \
	" drg_node n JOIN region_summary s ON n.experiment = ?1 AND s.drg_node = n.id JOIN processing_unit u ON u.id = s.pu "
#define MEANT " u.experiment = ?1 AND (?3 < 0 OR (u.process = ?3 AND u.thread = ?4)) "
#define ROOT "(SELECT id FROM drg_node WHERE experiment = ?1 AND parent IS NULL)"

static const char head[] =
	"SELECT e.name, a.name, e.p, e.t_p_ns FROM experiment e JOIN version v ON v.id = e.version "
	"JOIN application a ON a.id = v.application WHERE e.id = ?1";
static const char regions[] =
	"SELECT r.name, r.type, r.unit, r.file, r.key, r.checksum, r.id, r.line_start, r.column_start, r.line_end, r.column_end "
	"FROM region r "
	"WHERE r.id IN (SELECT region FROM drg_node WHERE experiment = ?1) ORDER BY r.id";
static const char nodes[] =
	"SELECT id, coalesce(parent, 0), region, nested, path, depth FROM drg_node WHERE experiment = ?1 ORDER BY id";
static const char units[] =
	"SELECT" UNIT "AS unit, iif(?2 < 2 OR ?3 >= 0, u.process, NULL), iif(?2 < 1 OR ?3 >= 0, u.thread, NULL) "
	"FROM" UNITS "WHERE" MEANT "GROUP BY unit ORDER BY unit";
static const char cells[] =
	"SELECT" UNIT "AS unit, s.drg_node, max(s.is_open), sum(s.calls), sum(s.subs), sum(s.incl_ns), sum(s.excl_ns),"
	" min(s.min_ns), max(s.max_ns) FROM" SUMMARIES
	"WHERE" MEANT "GROUP BY unit, s.drg_node";
/* A unit whose thread was never seen has useful time that no node has: it is the root's. */
static const char parts[] =
	"SELECT unit, node, leaf, sum(ns) FROM ("
	" SELECT" UNIT "AS unit, s.drg_node AS node, '' AS leaf, s.useful_ns AS ns FROM" SUMMARIES "WHERE" MEANT
	" UNION ALL SELECT" UNIT ", o.drg_node, o.leaf, o.ns FROM drg_node n"
	"  JOIN overhead o ON n.experiment = ?1 AND o.drg_node = n.id JOIN processing_unit u ON u.id = o.pu WHERE" MEANT
	" UNION ALL SELECT" UNIT ", " ROOT ", '', u.useful_ns FROM" UNITS "WHERE" MEANT
	" UNION ALL SELECT" UNIT ", " ROOT ", '', -s.useful_ns FROM" SUMMARIES "WHERE" MEANT
	") GROUP BY unit, node, leaf HAVING sum(ns) <> 0";
static const char metrics[] =
	"SELECT m.name, m.unit = 'ns' FROM" SUMMARIES
	"JOIN metric_value m ON m.region_summary = s.id WHERE" MEANT "AND m.value IS NOT NULL GROUP BY m.name ORDER BY m.name";
/* A sum over units of which one could not measure it is not known. */
static const char values[] =
	"SELECT" UNIT "AS unit, s.drg_node, m.name, sum(m.value) FROM" SUMMARIES
	"JOIN metric m ON m.region_summary = s.id WHERE" MEANT "GROUP BY unit, s.drg_node, m.name "
	"HAVING count(*) = count(m.value)";

/* -- what is counted ----------------------------------------------------------------------------------------- */

static int take_head(void *arg, const struct cell *row, struct err *err)
{
	struct call_graph *g = ((struct loader *)arg)->graph;
	(void)err;
	g->experiment = mem_string(row[0].text);
	g->program = mem_string(row[1].text);
	g->p = row[2].integer;
	g->t_p_ns = row[3].integer;
	return 0;
}

static int take_region(void *arg, const struct cell *row, struct err *err)
{
	(void)err;
	*vec_push(&((struct loader *)arg)->graph->region) = (struct graph_region){
		mem_string(row[0].text), mem_string(row[1].text), mem_string(row[2].text), mem_string(row[3].text),
		mem_string(row[4].text), mem_string(row[5].text), row[6].integer, row[7].integer, row[8].integer, row[9].integer,
		row[10].integer };
	return 0;
}

static int take_unit(void *arg, const struct cell *row, struct err *err)
{
	struct loader *l = arg;
	(void)err;
	*vec_push(&l->unit) = row[0].integer;
	*vec_push(&l->graph->unit) = (struct graph_unit){ row[1].kind == CELL_NULL ? -1 : row[1].integer,
							  row[2].kind == CELL_NULL ? -1 : row[2].integer };
	return 0;
}

static int take_metric(void *arg, const struct cell *row, struct err *err)
{
	(void)err;
	*vec_push(&((struct loader *)arg)->graph->metric) = (struct graph_metric){ mem_string(row[0].text), row[1].integer };
	return 0;
}

static int compare_regions(const void *va, const void *vb)
{
	const struct graph_region *a = va, *b = vb;
	return (a->id > b->id) - (a->id < b->id);
}

static int take_node(void *arg, const struct cell *row, struct err *err)
{
	struct loader *l = arg;
	struct graph_region key = { .id = row[2].integer };
	const struct graph_region *region = bsearch(&key, l->graph->region.at, l->graph->region.n, sizeof key, compare_regions);
	(void)err;
	*vec_push(&l->node) = row[0].integer;
	*vec_push(&l->parent) = row[1].integer;
	*vec_push(&l->graph->node) = (struct graph_node){
		.id = row[0].integer, .region = region - l->graph->region.at, .nested = row[3].integer,
		.path = mem_string(row[4].text), .depth = row[5].integer };
	return 0;
}

/* -- numbers of the graph for those of the repository ---------------------------------------------------------- */

static int compare_numbers(const void *va, const void *vb)
{
	int64_t a = *(const int64_t *)va, b = *(const int64_t *)vb;
	return (a > b) - (a < b);
}

static uint32_t find(const int64_t *list, size_t n, int64_t id)
{
	const int64_t *found = n ? bsearch(&id, list, n, sizeof id, compare_numbers) : NULL;
	return found ? (uint32_t)(found - list) : GRAPH_NONE;
}

/* Of a row that begins with unit and node. */
static struct graph_place place_of(const struct loader *l, const struct cell *row, uint32_t what)
{
	return (struct graph_place){ find(l->unit.at, l->unit.n, row[0].integer),
				     l->place[find(l->node.at, l->node.n, row[1].integer)], what };
}

/* Numbers the nodes so that each is followed by its subtree; children stay in the order of their ids. */
static void order_nodes(struct loader *l)
{
	size_t n = l->node.n;
	uint32_t *size = mem_alloc(n + 1, sizeof *size), *next = mem_alloc(n + 1, sizeof *next);
	uint32_t *up = mem_alloc(n + 1, sizeof *up), top = 0;
	struct graph_node *ordered = mem_alloc(n + 1, sizeof *ordered);
	l->place = mem_alloc(n + 1, sizeof *l->place);
	for (size_t i = n; i-- > 0;) {
		up[i] = find(l->node.at, n, l->parent.at[i]);
		size[i]++;
		if (up[i] != GRAPH_NONE)
			size[up[i]] += size[i];
	}
	for (size_t i = 0; i < n; i++) {
		uint32_t *place = up[i] == GRAPH_NONE ? &top : &next[up[i]];
		l->place[i] = *place;
		*place += size[i];
		next[i] = l->place[i] + 1;
		ordered[l->place[i]] = l->graph->node.at[i];
		ordered[l->place[i]].parent = up[i] == GRAPH_NONE ? GRAPH_NONE : l->place[up[i]];
		ordered[l->place[i]].end = l->place[i] + size[i];
	}
	memcpy(l->graph->node.at, ordered, n * sizeof *ordered);
	free(size), free(next), free(up), free(ordered);
}

/* -- what is measured ------------------------------------------------------------------------------------------ */

static int take_cell(void *arg, const struct cell *row, struct err *err)
{
	struct loader *l = arg;
	(void)err;
	*vec_push(&l->graph->cell) = (struct graph_cell){
		.at = place_of(l, row, 0), .open = row[2].integer, .calls = row[3].integer, .subs = row[4].integer,
		.incl_ns = row[5].integer, .excl_ns = row[6].integer,
		.min_ns = row[7].kind == CELL_NULL ? -1 : row[7].integer, .max_ns = row[8].kind == CELL_NULL ? -1 : row[8].integer };
	return 0;
}

static int take_part(void *arg, const struct cell *row, struct err *err)
{
	struct loader *l = arg;
	enum sis_overhead leaf = sis_overhead_by_name(row[2].text, strlen(row[2].text));
	if (row[2].text[0] && leaf == O_NONE)
		return err_fail(err, "overhead '%s' is unknown here; use the sis-analyze that imported the experiment", row[2].text);
	l->graph->has_leaf[leaf] |= leaf != O_NONE;
	*vec_push(&l->graph->part) = (struct graph_part){ place_of(l, row, leaf), row[3].integer };
	return 0;
}

static int take_value(void *arg, const struct cell *row, struct err *err)
{
	struct loader *l = arg;
	uint32_t metric = 0;
	(void)err;
	while (strcmp(l->graph->metric.at[metric].name, row[2].text) != 0)
		metric++;
	*vec_push(&l->graph->value) = (struct graph_value){ place_of(l, row, metric), row[3].integer };
	return 0;
}

/* Cells, parts and values begin with their place. */
static int compare_places(const void *va, const void *vb)
{
	const struct graph_place *a = va, *b = vb;
	return a->unit != b->unit ? (a->unit > b->unit) - (a->unit < b->unit) :
		a->node != b->node ? (a->node > b->node) - (a->node < b->node) : (a->what > b->what) - (a->what < b->what);
}

#define SORT(list) ((list)->n ? qsort((list)->at, (list)->n, sizeof *(list)->at, compare_places) : (void)0)

int call_graph_load(struct call_graph *graph, struct repo *repo, int64_t experiment, enum graph_fold fold,
		    int64_t process, int64_t thread, struct err *err)
{
	static const struct { repo_take *take; const char *sql; const char *format; } step[] = {
		{ take_head, head, "i" }, { take_region, regions, "i" }, { take_node, nodes, "i" },
		{ take_unit, units, "iiii" }, { take_metric, metrics, "iiii" }, { take_cell, cells, "iiii" },
		{ take_part, parts, "iiii" }, { take_value, values, "iiii" },
	};
	struct loader l = { .graph = graph };
	int rc = 0;
	*graph = (struct call_graph){ 0 };
	for (size_t i = 0; rc == 0 && i < sizeof step / sizeof *step; i++) {
		rc = repo_each(repo, step[i].take, &l, err, step[i].sql, step[i].format, experiment, (int64_t)fold, process,
			       thread);
		if (rc == 0 && step[i].take == take_node)
			order_nodes(&l);
	}
	if (rc == 0 && !graph->unit.n)
		rc = err_fail(err, "no process %lld with a thread %lld in this experiment; `sis-analyze summary` lists them",
			      (long long)process, (long long)thread);
	SORT(&graph->cell);
	SORT(&graph->part);
	SORT(&graph->value);
	vec_free(&l.unit), vec_free(&l.node), vec_free(&l.parent), free(l.place);
	if (rc)
		call_graph_release(graph);
	return rc;
}

void call_graph_release(struct call_graph *g)
{
	for (size_t i = 0; i < g->region.n; i++) {
		struct graph_region *r = &g->region.at[i];
		free(r->name), free(r->type), free(r->unit), free(r->file), free(r->key), free(r->checksum);
	}
	for (size_t i = 0; i < g->node.n; i++)
		free(g->node.at[i].path);
	for (size_t i = 0; i < g->metric.n; i++)
		free(g->metric.at[i].name);
	vec_free(&g->region), vec_free(&g->node), vec_free(&g->unit), vec_free(&g->cell), vec_free(&g->part);
	vec_free(&g->value), vec_free(&g->metric);
	free(g->experiment), free(g->program);
	*g = (struct call_graph){ 0 };
}

/* -- the walk -------------------------------------------------------------------------------------------------- */

static bool before(const struct graph_place *a, const struct graph_place *b)
{
	return a->unit != b->unit ? a->unit < b->unit : a->node < b->node;
}

static bool is_at(const struct graph_place *a, const struct graph_row *row)
{
	return a->unit == row->unit && a->node == row->node;
}

bool call_graph_next(const struct call_graph *g, struct graph_cursor *at, struct graph_row *row)
{
	static const struct graph_cell nothing = { .min_ns = -1, .max_ns = -1 };
	const struct graph_place *cell = at->cell < g->cell.n ? &g->cell.at[at->cell].at : NULL;
	const struct graph_place *part = at->part < g->part.n ? &g->part.at[at->part].at : NULL;
	const struct graph_place *first = !cell || (part && before(part, cell)) ? part : cell;
	if (!first)
		return false;
	*row = (struct graph_row){ .unit = first->unit, .node = first->node, .cell = &nothing,
				   .part = g->part.at + at->part, .value = g->value.at + at->value };
	if (cell && is_at(cell, row))
		row->cell = &g->cell.at[at->cell++];
	for (; at->part < g->part.n && is_at(&g->part.at[at->part].at, row); at->part++)
		row->parts++;
	for (; at->value < g->value.n && is_at(&g->value.at[at->value].at, row); at->value++)
		row->values++;
	return true;
}
