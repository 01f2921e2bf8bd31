/* SPDX-License-Identifier: BSD-3-Clause */
/* call_paths.c - folds the call graph into call paths, and names them. Owns the temporary tables of
 * call_paths.h; one thread. */
#include "answers/query/call_paths.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/sort.h"
#include "answers/query/mpi_wrappers.h"

/* -- paths ------------------------------------------------------------------------------------- */

uint32_t call_paths_add(struct call_paths *paths, uint32_t parent, int64_t region, const char *name,
			int64_t node)
{
	bool fresh;
	uint32_t above = parent; /* the path of the same region further up, if there is one */
	while (above != NO_PATH && paths->path.at[above].region != region)
		above = paths->path.at[above].parent;
	if (above != NO_PATH)
		return above;
	uint32_t n = map_put(&paths->by_region, parent, (uint64_t)region, paths->path.n, &fresh);
	if (!fresh)
		return n;
	uint32_t name_number = strmap_put(&paths->by_name, name, paths->name.n, &fresh);
	if (fresh)
		*vec_push(&paths->name) = mem_string(name);
	*vec_push(&paths->path) = (struct call_path){
		.parent = parent,
		.name = name_number,
		.length = parent == NO_PATH ? 1 : paths->path.at[parent].length + 1,
		.region = region,
		.id = node,
	};
	return n;
}

char *call_path_text(const struct call_paths *paths, uint32_t path, uint32_t n,
		     const char *separator)
{
	const char **name = mem_alloc(n + 1, sizeof *name);
	struct buf text = { 0 };
	uint32_t first = n;
	for (; first && path != NO_PATH; path = paths->path.at[path].parent)
		name[--first] = paths->name.at[paths->path.at[path].name];
	for (uint32_t i = first; i < n; i++)
		buf_print(&text, "%s%s", i > first ? separator : "", name[i]);
	free(name);
	return buf_take(&text);
}

void call_paths_release(struct call_paths *paths)
{
	for (size_t i = 0; i < paths->name.n; i++)
		free(paths->name.at[i]);
	vec_free(&paths->path), vec_free(&paths->name);
	map_free(&paths->by_region), strmap_free(&paths->by_name);
}

/* -- names ------------------------------------------------------------------------------------- */

/* Call paths are sorted by their last region, then by the region above it, and so on. So the paths
 * that have the longest end in common with a path are beside it. */
struct end { const struct call_paths *paths; uint32_t path; };

static uint32_t common_end(const struct end *a, const struct end *b, int *order)
{
	const struct call_path *path = a->paths->path.at;
	uint32_t x = a->path, y = b->path, n = 0;
	while (x != NO_PATH && y != NO_PATH && path[x].name == path[y].name) {
		x = path[x].parent, y = path[y].parent;
		n++;
	}
	*order = x == NO_PATH || y == NO_PATH ? ORDER(y == NO_PATH, x == NO_PATH) :
						ORDER(path[x].name, path[y].name);
	return n;
}

static int by_end(const void *va, const void *vb)
{
	const struct end *a = va, *b = vb;
	const struct call_path *path = a->paths->path.at;
	int order = ORDER(path[a->path].region, path[b->path].region);
	if (order == 0)
		common_end(a, b, &order);
	return order ?: ORDER(a->path, b->path);
}

void call_paths_name(struct call_paths *paths)
{
	VEC(struct end) ends = { 0 };
	for (uint32_t i = 0; i < paths->path.n; i++) {
		*vec_push(&ends) = (struct end){ paths, i };
		paths->path.at[i].shown = paths->path.at[i].outside ?: 1;
	}
	vec_sort(&ends, by_end);
	/* Makes the names of two neighbours one region longer than their common end. */
	for (size_t i = 1; i < ends.n; i++) {
		const struct end *a = &ends.at[i - 1], *b = &ends.at[i];
		struct call_path *both[] = { &paths->path.at[a->path], &paths->path.at[b->path] };
		int order;
		if (both[0]->region != both[1]->region)
			continue;
		uint32_t shown = common_end(a, b, &order) + 1;
		for (int k = 0; k < 2; k++) {
			uint32_t most = shown < both[k]->length ? shown : both[k]->length;
			both[k]->shown = both[k]->shown > most ? both[k]->shown : most;
		}
	}
	vec_free(&ends);
}

/* -- temporary tables -------------------------------------------------------------------------- */

static const char *const tables[] = {
	"CREATE TEMP TABLE IF NOT EXISTS call_path (id INTEGER PRIMARY KEY, experiment INTEGER, "
	"parent INTEGER, region INTEGER, path TEXT, name TEXT, outside TEXT)",
	"CREATE TEMP TABLE IF NOT EXISTS call_path_of (node INTEGER PRIMARY KEY, "
	"call_path INTEGER)",
	"CREATE TEMP TABLE IF NOT EXISTS path_cause (experiment INTEGER, call_path INTEGER, "
	"leaf TEXT, cause INTEGER, ns INTEGER, passed_ns INTEGER, indirect_ns INTEGER, "
	"wrong_order_ns INTEGER, estimated_ns INTEGER, no_processor_ns INTEGER, "
	"asleep_ns INTEGER, units INTEGER, "
	"pu INTEGER, "
	"most_ns INTEGER, PRIMARY KEY (experiment, call_path, leaf, cause)) WITHOUT ROWID",
};

/* ?1 experiment. The sums are the same as in view wait_cause. */
static const char causes[] =
	"INSERT INTO temp.path_cause WITH part AS "
	"(SELECT w.call_path, d.leaf, c.call_path AS cause, d.culprit AS pu, sum(d.ns) AS ns, "
	"sum(d.passed_ns) AS passed_ns, sum(d.indirect_ns) AS indirect_ns, "
	"sum(d.wrong_order_ns) AS wrong_order_ns, sum(d.estimated_ns) AS estimated_ns, "
	"sum(d.no_processor_ns) AS no_processor_ns, "
	"sum(CASE WHEN r.type = 'RT_ASLEEP' THEN d.ns + d.indirect_ns ELSE 0 END) AS asleep_ns "
	"FROM drg_node n JOIN delay d ON d.drg_node = n.id "
	"JOIN temp.call_path_of w ON w.node = n.id "
	"JOIN temp.call_path_of c ON c.node = d.culprit_node "
	"JOIN drg_node m ON m.id = d.culprit_node JOIN code_region r ON r.id = m.region "
	"WHERE n.experiment = ?1 GROUP BY w.call_path, d.leaf, c.call_path, d.culprit), "
	"ranked AS (SELECT call_path, leaf, cause, pu, ns + indirect_ns AS most_ns, "
	"count(*) OVER same AS units, sum(ns) OVER same AS ns, "
	"sum(passed_ns) OVER same AS passed_ns, sum(indirect_ns) OVER same AS indirect_ns, "
	"sum(wrong_order_ns) OVER same AS wrong_order_ns, "
	"sum(estimated_ns) OVER same AS estimated_ns, "
	"sum(no_processor_ns) OVER same AS no_processor_ns, sum(asleep_ns) OVER same AS asleep_ns, "
	"row_number() OVER (PARTITION BY call_path, leaf, cause "
	"ORDER BY ns + indirect_ns DESC, pu) AS place FROM part "
	"WINDOW same AS (PARTITION BY call_path, leaf, cause)) "
	"SELECT ?1, call_path, leaf, cause, ns, passed_ns, indirect_ns, wrong_order_ns, "
	"estimated_ns, no_processor_ns, asleep_ns, units, pu, most_ns FROM ranked WHERE place = 1";

struct node { int64_t id; uint32_t path; };
struct loader {
	struct call_paths paths;
	VEC(struct node) node; /* by id */
};

/* The call path of a node that was loaded before; NO_PATH if there is no such node. */
static uint32_t path_of(const struct loader *l, const struct cell *id)
{
	size_t n = id->kind == CELL_NULL ?
		l->node.n :
		search_first(i, 0, l->node.n, l->node.at[i].id < id->integer);
	return n < l->node.n && l->node.at[n].id == id->integer ? l->node.at[n].path : NO_PATH;
}

/* Takes a row: node, parent, whether the node's region is in the source, region, name. Parents come
 * first. */
static int take_node(void *arg, const struct cell *row, struct err *err)
{
	struct loader *l = arg;
	uint32_t path = row[2].integer ? NO_PATH : path_of(l, &row[1]);
	(void)err;
	if (path == NO_PATH) {
		/* Paths directly below the root have no parent, because the root is part of no
		 * other path. */
		uint32_t parent = path_of(l, &row[1]);
		path = call_paths_add(&l->paths, parent == 0 ? NO_PATH : parent, row[3].integer,
				      row[4].text, row[0].integer);
	}
	*vec_push(&l->node) = (struct node){ row[0].integer, path };
	return 0;
}

static int store_paths(const struct call_paths *paths, struct repo *repo, int64_t experiment,
		       struct err *err)
{
	static const struct rows_form form = {
		"INSERT OR FAIL INTO temp.call_path (id, experiment, parent, region, path, name, "
		"outside)",
		"", "iiiittt"
	};
	struct rows *rows;
	VEC(char *) text = { 0 }; /* the rows use these texts until they are stored */
	int rc = rows_open(repo, &rows, &form, err);
	for (uint32_t i = 0; rc == 0 && i < paths->path.n; i++) {
		const struct call_path *p = &paths->path.at[i];
		char *path = *vec_push(&text) = call_path_text(paths, i, p->length, "/");
		char *name = *vec_push(&text) = call_path_text(paths, i, p->shown, " > ");
		char *outside = *vec_push(&text) =
			p->outside ? call_path_text(paths, i, p->outside, " > ") : NULL;
		int64_t parent = p->parent == NO_PATH ? 0 : paths->path.at[p->parent].id;
		rc = rows_add(rows, err, p->id, experiment, parent, p->region, path, name, outside);
	}
	rc = rc ? rc : rows_end(rows, err);
	rows_close(rows);
	for (size_t i = 0; i < text.n; i++)
		free(text.at[i]);
	vec_free(&text);
	return rc;
}

static int store_nodes(const struct loader *l, struct repo *repo, struct err *err)
{
	static const struct rows_form form = {
		"INSERT OR FAIL INTO temp.call_path_of (node, call_path)", "", "ii"
	};
	struct rows *rows;
	int rc = rows_open(repo, &rows, &form, err);
	for (size_t i = 0; rc == 0 && i < l->node.n; i++)
		rc = rows_add(rows, err, l->node.at[i].id,
			      l->paths.path.at[l->node.at[i].path].id);
	rc = rc ? rc : rows_end(rows, err);
	rows_close(rows);
	return rc;
}

static int load_experiment(struct repo *repo, int64_t experiment, struct err *err)
{
	struct loader l = { 0 };
	wrapper_regions regions = { 0 };
	int rc = repo_each(repo, take_node, &l, err,
			   "SELECT n.id, n.parent, n.source_node = n.id, n.region, r.name "
			   "FROM drg_node n "
			   "JOIN code_region r ON r.id = n.region "
			   "WHERE n.experiment = ? "
			   "ORDER BY n.id",
			   "i", experiment);
	rc = rc ? rc : mpi_wrappers_load(&regions, repo, experiment, err);
	mpi_wrappers_find(&l.paths, &regions);
	call_paths_name(&l.paths);
	rc = rc ? rc : store_paths(&l.paths, repo, experiment, err);
	rc = rc ? rc : store_nodes(&l, repo, err);
	rc = rc ? rc : repo_run(repo, err, causes, "i", experiment);
	call_paths_release(&l.paths);
	vec_free(&l.node), vec_free(&regions);
	return rc;
}

int call_paths_load(struct repo *repo, int64_t experiment, struct err *err)
{
	int64_t known = 0;
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		if (repo_run(repo, err, tables[i], ""))
			return ERR_FAILED;
	int rc = repo_number(repo, &known, err,
			     "SELECT 1 FROM temp.call_path WHERE experiment = ? LIMIT 1", "i",
			     experiment);
	return rc < 0 ? rc : rc == 0 ? load_experiment(repo, experiment, err) : 0;
}
