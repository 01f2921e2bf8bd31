/* SPDX-License-Identifier: BSD-3-Clause */
/* call_graph.c - loads a call graph from the repository and walks it. Owns the graph; one thread.
 * Rows are read in the order in which they are stored, and are added up and sorted here, because
 * the database would sort them for each sum. Nodes are numbered in the order in which they are
 * drawn, so each format is one loop over rows. No function recurses, because programs recurse
 * thousands deep. */
#include "answers/query/call_graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/sort.h"
#include "repository/database/pu_leaves.h"

struct loader {
	struct call_graph *graph;
	struct map pu;     /* index in the graph, by id of the processing unit */
	/* id of the last PU; ids of all PUs are between first_pu and last_pu */
	int64_t last, first_pu, last_pu;
	VEC(int64_t) rest;   /* for each PU: useful time that was not yet given to a node */
	/* ids of nodes, sorted; a parent has a smaller id than its children */
	VEC(int64_t) node;
	VEC(int64_t) parent; /* id of the parent of each node */
	uint32_t *drawn_at;     /* by index in `node`: the index in the graph */
	struct strmap names; /* names of overheads */
	/* the node of the last row, and its index. Rows of a node follow each other, so the next
	 * row often has the same node */
	int64_t last_node;
	uint32_t last_index;
};
#define NO_VALUE INT64_MIN

/* -- statements: ?1 experiment ----------------------------------------------------------------- */

static const char head[] =
	"SELECT e.name, a.name, e.p, e.t_p_ns "
	"FROM experiment e "
	"JOIN version v ON v.id = e.version "
	"JOIN application a ON a.id = v.application "
	"WHERE e.id = ?1";
static const char regions[] =
	"SELECT r.name, r.type, r.unit, r.file, r.key, r.checksum, coalesce(r.tokens, ''), "
	"coalesce(r.build, ''), r.id, r.line_start, r.column_start, r.line_end, r.column_end "
	"FROM region r "
	"WHERE r.id IN (SELECT region FROM drg_node WHERE experiment = ?1) "
	"ORDER BY r.id";
static const char nodes[] =
	"SELECT id, coalesce(parent, 0), region, nested, path, depth "
	"FROM drg_node "
	"WHERE experiment = ?1 "
	"ORDER BY id";
/* ?2 graph_fold, ?3 process or negative, ?4 thread */
static const char pus[] =
	"SELECT CASE ?2 WHEN 0 THEN (u.process << 24) + u.thread WHEN 1 THEN u.process << 24 "
	"ELSE 0 END AS unit, iif(?2 < 2 OR ?3 >= 0, u.process, NULL), "
	"iif(?2 < 1 OR ?3 >= 0, u.thread, NULL), u.id, u.useful_ns "
	"FROM processing_unit u "
	"WHERE u.experiment = ?1 AND (?3 < 0 OR (u.process = ?3 AND u.thread = ?4)) "
	"ORDER BY unit, u.id";

/* ?2 and ?3: smallest and largest processing unit; rows begin with processing unit and node. */
#define SUMMARIES " drg_node n JOIN region_summary s ON s.drg_node = n.id "
#define MEANT " n.experiment = ?1 AND s.pu BETWEEN ?2 AND ?3 "
static const char cells[] =
	"SELECT s.pu, s.drg_node, s.is_open, s.calls, s.subs, s.incl_ns, s.excl_ns, s.min_ns, "
	"s.max_ns, s.useful_ns "
	"FROM" SUMMARIES
	"WHERE" MEANT;
static const char parts[] =
	"SELECT s.pu, s.drg_node, s.leaf, s.ns "
	"FROM drg_node n "
	"JOIN overhead s ON s.drg_node = n.id "
	"WHERE" MEANT;
static const char metrics[] = "SELECT m.name, m.unit = 'ns' "
			      "FROM" SUMMARIES
			      "JOIN metric_value m ON m.region_summary = s.id "
			      "WHERE" MEANT "AND m.value IS NOT NULL "
			      "GROUP BY m.name "
			      "ORDER BY m.name";
static const char values[] = "SELECT s.pu, s.drg_node, m.name, m.value "
			     "FROM" SUMMARIES
			     "JOIN metric m ON m.region_summary = s.id "
			     "WHERE" MEANT;

/* -- regions, PUs, metrics, nodes -------------------------------------------------------------- */

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
		mem_string(row[0].text), mem_string(row[1].text), mem_string(row[2].text),
		mem_string(row[3].text), mem_string(row[4].text), mem_string(row[5].text),
		mem_string(row[6].text), mem_string(row[7].text), row[8].integer,
		row[9].integer,		 row[10].integer,	  row[11].integer,
		row[12].integer
	};
	return 0;
}

static int take_pu(void *arg, const struct cell *row, struct err *err)
{
	struct loader *l = arg;
	int64_t id = row[3].integer;
	(void)err;
	if (!l->graph->pu.n || l->last != row[0].integer) {
		*vec_push(&l->graph->pu) = (struct graph_pu){
			row[1].kind == CELL_NULL ? -1 : row[1].integer,
			row[2].kind == CELL_NULL ? -1 : row[2].integer
		};
		*vec_push(&l->rest) = 0;
	}
	l->last = row[0].integer;
	l->first_pu = l->pu.n && l->first_pu < id ? l->first_pu : id;
	l->last_pu = l->pu.n && l->last_pu > id ? l->last_pu : id;
	map_put(&l->pu, (uint64_t)id, 0, l->graph->pu.n - 1, NULL);
	int64_t *rest = &l->rest.at[l->graph->pu.n - 1];
	*rest = clamp_add(*rest, row[4].integer);
	return 0;
}

static int take_metric(void *arg, const struct cell *row, struct err *err)
{
	(void)err;
	struct loader *l = arg;
	*vec_push(&l->graph->metric) =
		(struct graph_metric){ mem_string(row[0].text), row[1].integer };
	return 0;
}

static int compare_regions(const void *va, const void *vb)
{
	const struct graph_region *a = va, *b = vb;
	return ORDER(a->id, b->id);
}

static int take_node(void *arg, const struct cell *row, struct err *err)
{
	struct loader *l = arg;
	struct graph_region key = { .id = row[2].integer };
	const struct graph_region *region = bsearch(&key, l->graph->region.at, l->graph->region.n,
						    sizeof key, compare_regions);
	if (!region) /* only if the repository was damaged after stored_check */
		return err_fail(err, "node %lld of the call graph has no region; import it again",
				(long long)row[0].integer);
	*vec_push(&l->node) = row[0].integer;
	*vec_push(&l->parent) = row[1].integer;
	*vec_push(&l->graph->node) = (struct graph_node){
		.id = row[0].integer,
		.region = region - l->graph->region.at,
		.nested = row[3].integer,
		.path = mem_string(row[4].text),
		.depth = row[5].integer,
	};
	return 0;
}

/* -- from ids of the repository to indexes in the graph ---------------------------------------- */

static int compare_numbers(const void *va, const void *vb)
{
	const int64_t *a = va, *b = vb;
	return ORDER(*a, *b);
}

static uint32_t find_index(const int64_t *list, size_t n, int64_t id)
{
	const int64_t *found = n ? bsearch(&id, list, n, sizeof id, compare_numbers) : NULL;
	return found ? (uint32_t)(found - list) : GRAPH_NONE;
}

/* Makes the key of a row that begins with processing unit and node. Returns false if this PU was
 * not selected. */
static bool key_of(struct loader *l, const struct cell *row, uint32_t what,
		   struct graph_key *key)
{
	if (row[1].integer != l->last_node) {
		l->last_node = row[1].integer;
		l->last_index = find_index(l->node.at, l->node.n, row[1].integer);
	}
	uint32_t node = l->last_index;
	if (node == GRAPH_NONE)
		return false;
	uint32_t pu = map_get(&l->pu, (uint64_t)row[0].integer, 0);
	*key = (struct graph_key){ pu, l->drawn_at[node], what };
	return key->pu != MAP_NONE;
}

static bool is_same(const struct graph_key *a, const struct graph_key *b)
{
	return a->pu == b->pu && a->node == b->node && a->what == b->what;
}

/* Numbers the nodes so that the subtree of a node follows the node. Children are in the order of
 * their ids. */
static void order_nodes(struct loader *l)
{
	size_t n = l->node.n;
	uint32_t *size = mem_alloc(n + 1, sizeof *size), *next = mem_alloc(n + 1, sizeof *next);
	uint32_t *up = mem_alloc(n + 1, sizeof *up), top = 0;
	struct graph_node *ordered = mem_alloc(n + 1, sizeof *ordered);
	l->drawn_at = mem_alloc(n + 1, sizeof *l->drawn_at);
	for (size_t i = n; i-- > 0;) {
		up[i] = find_index(l->node.at, n, l->parent.at[i]);
		size[i]++;
		if (up[i] != GRAPH_NONE)
			size[up[i]] += size[i];
	}
	for (size_t i = 0; i < n; i++) {
		uint32_t *at = up[i] == GRAPH_NONE ? &top : &next[up[i]];
		l->drawn_at[i] = *at;
		*at += size[i];
		next[i] = l->drawn_at[i] + 1;
		ordered[l->drawn_at[i]] = l->graph->node.at[i];
		ordered[l->drawn_at[i]].parent = up[i] == GRAPH_NONE ? GRAPH_NONE :
								       l->drawn_at[up[i]];
		ordered[l->drawn_at[i]].end = l->drawn_at[i] + size[i];
	}
	memcpy(l->graph->node.at, ordered, n * sizeof *ordered);
	free(size), free(next), free(up), free(ordered);
}

/* -- cells, parts, values ---------------------------------------------------------------------- */

static int64_t number_or(const struct cell *cell, int64_t without)
{
	return cell->kind == CELL_NULL ? without : cell->integer;
}

static void add_part(struct loader *l, struct graph_key at, int64_t ns)
{
	if (ns)
		*vec_push(&l->graph->part) = (struct graph_part){ at, ns };
}

/* Adds a cell to another one with the same key. */
static void add_cell(struct graph_cell *to, const struct graph_cell *c)
{
	to->open |= c->open;
	to->calls = clamp_add(to->calls, c->calls);
	to->subs = clamp_add(to->subs, c->subs);
	to->incl_ns = clamp_add(to->incl_ns, c->incl_ns);
	to->excl_ns = clamp_add(to->excl_ns, c->excl_ns);
	to->min_ns = c->min_ns >= 0 && (to->min_ns < 0 || c->min_ns < to->min_ns) ? c->min_ns :
										    to->min_ns;
	to->max_ns = c->max_ns > to->max_ns ? c->max_ns : to->max_ns;
}

/* Adds a cell and its useful time, and subtracts this time from `rest`. */
static int take_cell(void *arg, const struct cell *row, struct err *err)
{
	struct loader *l = arg;
	struct graph_cell cell = { .open = row[2].integer,
				   .calls = row[3].integer,
				   .subs = row[4].integer,
				   .incl_ns = row[5].integer,
				   .excl_ns = row[6].integer,
				   .min_ns = number_or(&row[7], -1),
				   .max_ns = number_or(&row[8], -1) };
	(void)err;
	if (!key_of(l, row, O_NONE, &cell.at))
		return 0;
	if (l->graph->cell.n && is_same(&l->graph->cell.at[l->graph->cell.n - 1].at, &cell.at))
		add_cell(&l->graph->cell.at[l->graph->cell.n - 1], &cell);
	else
		*vec_push(&l->graph->cell) = cell;
	add_part(l, cell.at, row[9].integer);
	int64_t *rest = &l->rest.at[cell.at.pu];
	*rest = clamp_subtract(*rest, row[9].integer);
	return 0;
}

static int take_part(void *arg, const struct cell *row, struct err *err)
{
	struct loader *l = arg;
	struct graph_key at;
	enum sis_overhead leaf;
	if (overhead_known(&l->names, row[2].text, &leaf, err))
		return ERR_FAILED;
	l->graph->has_leaf[leaf] = true;
	if (key_of(l, row, leaf, &at))
		add_part(l, at, row[3].integer);
	return 0;
}

/* Keeps rows without a value until values are added up, because a sum over PUs is unknown if the
 * value of one PU is unknown. */
static int take_value(void *arg, const struct cell *row, struct err *err)
{
	struct loader *l = arg;
	struct graph_key at;
	uint32_t metric = 0;
	(void)err;
	while (metric < l->graph->metric.n &&
	       (!row[2].text || strcmp(l->graph->metric.at[metric].name, row[2].text) != 0))
		metric++;
	if (metric < l->graph->metric.n && key_of(l, row, metric, &at))
		*vec_push(&l->graph->value) = (struct graph_value){ at, number_or(&row[3],
			NO_VALUE) };
	return 0;
}

/* A member of a row's key. Cells, parts and values all begin with their key. */
static uint32_t key_member(const void *row, int member)
{
	const struct graph_key *key = row;
	return member == 0 ? key->what : member == 1 ? key->node : key->pu;
}

/* Sorts the rows by one member of their keys; rows with equal members keep their order. Writes them
 * to *to_at, which is as large, and exchanges the two lists if the order changes. */
static void sort_by_member(char **rows_at, char **to_at, size_t n, size_t stride, int member)
{
	const char *rows = *rows_at;
	char *to = *to_at;
	uint32_t most = 0;
	bool ordered = true;
	for (size_t i = 0; i < n; i++) {
		uint32_t key = key_member(rows + i * stride, member);
		ordered &= key >= most;
		most = key > most ? key : most;
	}
	if (ordered)
		return;
	size_t *next = mem_alloc((size_t)most + 2, sizeof *next);
	for (size_t i = 0; i < n; i++)
		next[(size_t)key_member(rows + i * stride, member) + 1]++;
	for (size_t key = 1; key <= most; key++)
		next[key] += next[key - 1];
	for (size_t i = 0; i < n; i++)
		memcpy(to + next[key_member(rows + i * stride, member)]++ * stride,
		       rows + i * stride, stride);
	free(next);
	*to_at = *rows_at;
	*rows_at = to;
}

/* Sorts by PU, then node, then `what`. There are millions of rows and few values of each member, so
 * one pass for each member is faster than comparing rows. */
static void sort_rows(void **rows, size_t *room, size_t n, size_t stride)
{
	char *from = *rows, *to = mem_alloc(n, stride);
	for (int member = 0; member < 3; member++)
		sort_by_member(&from, &to, n, stride, member);
	*room = from == *rows ? *room : n;
	*rows = from;
	free(to);
}

/* Sorts the cells, and adds up those with the same key. */
static void settle_cells(struct call_graph *g)
{
	size_t n = 0;
	sort_rows((void **)&g->cell.at, &g->cell.room, g->cell.n, sizeof *g->cell.at);
	for (size_t i = 0; i < g->cell.n; i++)
		if (n && is_same(&g->cell.at[n - 1].at, &g->cell.at[i].at))
			add_cell(&g->cell.at[n - 1], &g->cell.at[i]);
		else
			g->cell.at[n++] = g->cell.at[i];
	g->cell.n = n;
}

static void settle_parts(struct call_graph *g)
{
	size_t n = 0;
	sort_rows((void **)&g->part.at, &g->part.room, g->part.n, sizeof *g->part.at);
	for (size_t i = 0; i < g->part.n; i++) {
		if (n && is_same(&g->part.at[n - 1].at, &g->part.at[i].at)) {
			g->part.at[n - 1].ns = clamp_add(g->part.at[n - 1].ns, g->part.at[i].ns);
		} else {
			n -= n && !g->part.at[n - 1].ns;
			g->part.at[n++] = g->part.at[i];
		}
	}
	g->part.n = n - (n && !g->part.at[n - 1].ns);
}

static void settle_values(struct call_graph *g)
{
	size_t n = 0;
	sort_rows((void **)&g->value.at, &g->value.room, g->value.n, sizeof *g->value.at);
	for (size_t i = 0; i < g->value.n; i++) {
		struct graph_value *v = &g->value.at[i];
		if (n && is_same(&g->value.at[n - 1].at, &v->at)) {
			int64_t *sum = &g->value.at[n - 1].value;
			bool known = *sum != NO_VALUE && v->value != NO_VALUE;
			*sum = known ? clamp_add(*sum, v->value) : NO_VALUE;
		} else {
			n -= n && g->value.at[n - 1].value == NO_VALUE;
			g->value.at[n++] = *v;
		}
	}
	g->value.n = n - (n && g->value.at[n - 1].value == NO_VALUE);
}

void call_graph_settle(struct call_graph *graph)
{
	settle_cells(graph);
	settle_parts(graph);
	settle_values(graph);
}

int call_graph_load(struct call_graph *graph, struct repo *repo, int64_t experiment,
		    enum graph_fold fold, int64_t process, int64_t thread, struct err *err)
{
	static const struct { repo_take *take; const char *sql;
	} step[] = {
		{ take_metric, metrics },
		{ take_cell, cells },
		{ take_part, parts },
		{ take_value, values },
	};
	struct loader l = { .graph = graph, .names = overhead_names(), .last_node = INT64_MIN,
			    .last_index = GRAPH_NONE };
	*graph = (struct call_graph){ 0 };
	int rc = repo_each(repo, take_head, &l, err, head, "i", experiment);
	rc = rc ? rc : repo_each(repo, take_region, &l, err, regions, "i", experiment);
	rc = rc ? rc : repo_each(repo, take_node, &l, err, nodes, "i", experiment);
	if (rc == 0) {
		order_nodes(&l);
		rc = repo_each(repo, take_pu, &l, err, pus, "iiii", experiment, (int64_t)fold,
			       process, thread);
	}
	if (rc == 0 && !graph->pu.n)
		rc = err_fail(err, "no process %lld with a thread %lld in this experiment; "
			      "`sis-analyze summary` lists them", (long long)process,
			      (long long)thread);
	for (size_t i = 0; rc == 0 && i < sizeof step / sizeof *step; i++)
		rc = repo_each(repo, step[i].take, &l, err, step[i].sql, "iii", experiment,
			       l.first_pu, l.last_pu);
	/* The useful time of a PU whose thread was never seen is in no node. The root gets it. */
	for (uint32_t u = 0; u < l.rest.n && l.node.n; u++)
		add_part(&l, (struct graph_key){ u, 0, O_NONE }, l.rest.at[u]);
	call_graph_settle(graph);
	strmap_free(&l.names), map_free(&l.pu);
	vec_free(&l.rest), vec_free(&l.node), vec_free(&l.parent), free(l.drawn_at);
	if (rc)
		call_graph_release(graph);
	return rc;
}

void call_graph_release(struct call_graph *g)
{
	for (size_t i = 0; i < g->region.n; i++) {
		struct graph_region *r = &g->region.at[i];
		free(r->name), free(r->type), free(r->function), free(r->file), free(r->key),
			free(r->checksum), free(r->tokens), free(r->build);
	}
	for (size_t i = 0; i < g->node.n; i++)
		free(g->node.at[i].path);
	for (size_t i = 0; i < g->metric.n; i++)
		free(g->metric.at[i].name);
	vec_free(&g->region), vec_free(&g->node), vec_free(&g->pu), vec_free(&g->cell),
		vec_free(&g->part);
	vec_free(&g->value), vec_free(&g->metric);
	free(g->experiment), free(g->program);
	*g = (struct call_graph){ 0 };
}

/* -- the walk ---------------------------------------------------------------------------------- */

static bool is_at(const struct graph_key *a, const struct graph_row *row)
{
	return a->pu == row->pu && a->node == row->node;
}

bool call_graph_next(const struct call_graph *g, struct graph_cursor *at, struct graph_row *row)
{
	static const struct graph_cell nothing = { .min_ns = -1, .max_ns = -1 };
	const struct graph_key *cell = at->cell < g->cell.n ? &g->cell.at[at->cell].at : NULL;
	const struct graph_key *part = at->part < g->part.n ? &g->part.at[at->part].at : NULL;
	const struct graph_key *first = cell ? cell : part;
	if (cell && part && (ORDER(part->pu, cell->pu) ?: ORDER(part->node, cell->node)) < 0)
		first = part;
	if (!first)
		return false;
	*row = (struct graph_row){
		.pu = first->pu,
		.node = first->node,
		.cell = &nothing,
		.part = g->part.at + at->part,
		.value = g->value.at + at->value,
	};
	if (cell && is_at(cell, row))
		row->cell = &g->cell.at[at->cell++];
	for (; at->part < g->part.n && is_at(&g->part.at[at->part].at, row); at->part++)
		row->parts++;
	for (; at->value < g->value.n && is_at(&g->value.at[at->value].at, row); at->value++)
		row->values++;
	return true;
}
