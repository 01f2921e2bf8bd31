/* SPDX-License-Identifier: BSD-3-Clause */
/* stored_check.c - checks the rows of an experiment once, when a command chooses it. Owns nothing.
 * Called by one thread.
 *
 * SQLite checks the constraints of the schema when a row is written. But they may not hold in a
 * file that was damaged, or that another program wrote. So this file checks the rows on which
 * commands rely: the experiment, its processing units, its regions and its call graph must be
 * complete, have the declared types, and refer to each other as repository.sql says. Rows of
 * measurements are not checked: there are millions, and wrong values only change results (cells in
 * database.c, base/clamp.h). */
#include "repository/database/stored_check.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/clamp.h"

/* -- statements: each result is a problem; %1$s: schema, ?1: experiment ------------------------ */

#define IS_TEXT(column) "typeof(" column ") = 'text' AND "
#define IS_TIME(column)                                                                            \
	"typeof(" column ") = 'integer' AND abs(" column ") <= 1000000000000000000 AND "
#define IS_COUNT(column)                                                                           \
	"typeof(" column ") = 'integer' AND " column " BETWEEN 0 AND 4294967295 AND "

static const struct {
	const char *sql, *problem;
} checks[] = {
	{ "SELECT 1 "
	  "WHERE NOT EXISTS (SELECT 1 FROM %1$s.experiment e "
	  "JOIN %1$s.version v ON v.id = e.version JOIN %1$s.application a ON a.id = v.application "
	  "JOIN %1$s.virtual_machine m ON m.id = e.virtual_machine "
	  "JOIN %1$s.network w ON w.id = m.network "
	  "WHERE e.id = ?1 AND " IS_TEXT("a.name") IS_TEXT("v.checksum") IS_TEXT("w.name") "1)",
	  "its version, its application or its machine is missing" },
	{ "SELECT 1 FROM %1$s.experiment WHERE id = ?1 AND (" IS_TEXT("name") IS_TEXT(
		  "run_id") IS_TEXT("directory") IS_TEXT("program") IS_TEXT("command")
		  IS_TEXT("role") IS_TEXT("runtime") IS_COUNT(
			  "complete") "typeof(started_ns) = 'integer' AND typeof(t_p_ns) = "
				      "'integer' AND "
				      "t_p_ns BETWEEN 0 AND 1000000000000000000) IS NOT TRUE",
	  "its own row has an impossible value" },
	{ "SELECT 1 "
	  "FROM %1$s.experiment "
	  "WHERE id = ?1 "
	  "AND (p > 0 AND p = (SELECT count(*) FROM %1$s.processing_unit WHERE experiment = ?1)) "
	  "IS NOT TRUE",
	  "its number of processing units is not the one that it states" },
	{ "SELECT 1 "
	  "FROM %1$s.processing_unit u "
	  "LEFT JOIN %1$s.node n ON n.id = u.node "
	  "LEFT JOIN %1$s.physical_machine h ON h.id = n.physical_machine "
	  "WHERE u.experiment = ?1 "
	  "AND "
	  "(" IS_COUNT("u.process") IS_COUNT("u.thread") IS_TIME("u.start_ns") IS_TIME("u.end_ns")
	  IS_TIME("u.useful_ns") IS_TEXT("u.state") IS_TEXT("h.host") "1) IS NOT TRUE",
	  "a processing unit has an impossible value, or no machine" },
};

/* Selects the valid regions of the experiment's version. */
static const char regions[] =
	"SELECT r.id "
	"FROM %1$s.code_region r "
	"JOIN %1$s.source_file f ON f.id = r.source_file "
	"WHERE f.version = (SELECT version FROM %1$s.experiment WHERE id = ?1) AND " IS_TEXT(
		"r.key") IS_TEXT("r.name") IS_TEXT("r.type") IS_TEXT("r.unit") IS_TEXT("f.path")
		IS_TEXT("f.directory") IS_TEXT("f.checksum") IS_TEXT("f.language")
			IS_COUNT("r.line_start") IS_COUNT("r.column_start") IS_COUNT("r.line_end")
				IS_COUNT("r.column_end") "1 ORDER BY r.id";

static const char nodes[] = "SELECT id, parent, depth, source_node, region, nested, path "
			    "FROM %1$s.drg_node "
			    "WHERE experiment = ?1 "
			    "ORDER BY id";

/* -- the call graph ---------------------------------------------------------------------------- */

/* A node that has been read. Parents have smaller numbers than their children, so one pass in the
 * order of numbers reads parents first. */
struct known {
	int64_t id, depth;
};
struct tree {
	VEC(int64_t) region;
	VEC(struct known) node;
	size_t roots;
	bool sound;
};

static int compare_ids(const void *va, const void *vb)
{
	const struct known *a = va, *b = vb;
	return (a->id > b->id) - (a->id < b->id);
}

static const struct known *find_node(const struct tree *tree, const struct cell *id)
{
	const struct known key = { .id = id->integer };
	if (id->kind != CELL_INTEGER || !tree->node.n)
		return NULL;
	if (tree->node.at[tree->node.n - 1].id == key.id) /* a node is often its own source */
		return &tree->node.at[tree->node.n - 1];
	return bsearch(&key, tree->node.at, tree->node.n, sizeof key, compare_ids);
}

static int compare_numbers(const void *va, const void *vb)
{
	const int64_t *a = va, *b = vb;
	return (*a > *b) - (*a < *b);
}

static int take_region(void *arg, const struct cell *row, struct err *err)
{
	(void)err;
	*vec_push(&((struct tree *)arg)->region) = row[0].integer;
	return 0;
}

static int take_node(void *arg, const struct cell *row, struct err *err)
{
	struct tree *tree = arg;
	bool is_root = row[1].kind == CELL_NULL;
	const struct known *parent = is_root ? NULL : find_node(tree, &row[1]);
	bool has_region = row[4].kind == CELL_INTEGER && tree->region.n &&
		bsearch(&row[4].integer, tree->region.at, tree->region.n, sizeof row[4].integer,
			compare_numbers);
	(void)err;
	tree->roots += is_root;
	tree->sound &= row[2].kind == CELL_INTEGER && row[5].kind == CELL_INTEGER &&
		       row[6].kind == CELL_TEXT && has_region && (is_root || parent) &&
		       row[2].integer == (parent ? clamp_add(parent->depth, 1) : 0);
	*vec_push(&tree->node) = (struct known){ row[0].integer, row[2].integer };
	tree->sound &= find_node(tree, &row[3]) != NULL;
	return 0;
}

/* -- all checks -------------------------------------------------------------------------------- */

int stored_problem(struct repo *repo, const char *schema, int64_t experiment, const char **problem,
		   struct err *err)
{
	struct tree tree = { .sound = true };
	char *sql_of_tree[] = { mem_print(regions, schema), mem_print(nodes, schema) };
	int rc = 0;
	*problem = NULL;
	for (size_t i = 0; rc == 0 && i < sizeof checks / sizeof *checks; i++) {
		int64_t any;
		char *sql = mem_print(checks[i].sql, schema);
		rc = repo_number(repo, &any, err, sql, "i", experiment);
		*problem = rc > 0 ? checks[i].problem : NULL;
		free(sql);
	}
	bool looked = rc == 0;
	rc = rc ? rc : repo_each(repo, take_region, &tree, err, sql_of_tree[0], "i", experiment);
	rc = rc ? rc : repo_each(repo, take_node, &tree, err, sql_of_tree[1], "i", experiment);
	if (looked && (!tree.sound || tree.roots != 1))
		*problem = "its call graph is no tree, or a region of it is missing or damaged";
	vec_free(&tree.region), vec_free(&tree.node);
	free(sql_of_tree[0]), free(sql_of_tree[1]);
	return rc < 0 ? rc : 0;
}

int stored_check(struct repo *repo, int64_t experiment, struct err *err)
{
	const char *problem;
	if (stored_problem(repo, "main", experiment, &problem, err))
		return ERR_FAILED;
	if (!problem)
		return 0;
	return err_fail(err, "repository '%s': experiment %" PRId64 " was damaged, or changed by "
			"another program: %s; take it out (sis-analyze rm %" PRId64 ") and import "
			"its directory again", repo_path(repo), experiment, problem, experiment);
}
