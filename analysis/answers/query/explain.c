/* SPDX-License-Identifier: BSD-3-Clause */
/* explain.c - finds the origin of each number of the overhead tree. Owns nothing; one thread. Time
 * of a leaf is either the exclusive time of a region whose type or routine has this leaf
 * (regions.def, calls.def, mpi.def), or a rule has moved it to the leaf (rules.def). The region and
 * the leaf together tell which of the two applies. */
#include "answers/query/explain.h"

#include <stdlib.h>
#include <string.h>

#include "experiment/model/experiment.h"
#include "answers/query/call_paths.h"
#include "answers/query/pu_names.h"

const struct column explain_columns[EXPLAIN_COLUMNS] = {
	{ "overhead", "overhead", CELL_TEXT },	{ "region", NULL, CELL_TEXT },
	{ NULL, "region", CELL_TEXT },
	{ "file", "file", CELL_TEXT },		{ "line_start", "line", CELL_INTEGER },
	{ "process", "process", CELL_INTEGER }, { "thread", "thread", CELL_INTEGER },
	{ "seconds", "seconds", CELL_SECONDS }, { "rule", "rule", CELL_TEXT },
	{ "culprit", NULL, CELL_TEXT },		{ NULL, "for", CELL_TEXT },
	{ "cause", NULL, CELL_TEXT },		{ NULL, "in", CELL_TEXT },
	{ "estimated_share", "estimated", CELL_SHARE },
	{ "path", NULL, CELL_TEXT },		{ "cause_path", NULL, CELL_TEXT },
};

static const struct { enum sis_overhead node; const char *rule; } rules[] = {
#define SIS_RULE(node, rule) { node, rule },
#include "rules.def"
#undef SIS_RULE
};

/* The leaf of a region's exclusive time, found as in regions.c: the leaf of the routine for calls,
 * else the leaf of the type. */
static enum sis_overhead own_leaf(const char *type, const char *name)
{
	enum sis_region_type t = sis_region_by_name(type, strlen(type));
	bool is_name = t == CR_F || sis_region_in(t, CR_A) || t == CR_P;
	const struct sis_routine_info *routine = is_name ? NULL : sis_routine_by_name(name);
	return routine ? routine->leaf : t ? sis_region_table[t].leaf : O_NONE;
}

/* The columns of `booked`, in its order. */
enum { LEAF, NAME, NS = 7, TYPE, INNER, RULE, CAUSE, END = 18 };

/* ?1 experiment, ?2 node. Rows of the chosen regions and processing units. Waits, which have
 * causes, have a row for each call path. All other time has a row for each region and for each
 * region below in which the time was booked. */
static const char booked[] =
	"WITH cause AS (SELECT call_path, leaf, cause, pu, estimated_ns, asleep_ns, "
	"no_processor_ns, ns, indirect_ns, max(ns) "
	"FROM temp.path_cause WHERE experiment = ?1 AND ns > 0 GROUP BY call_path, leaf), "
	"waits AS (SELECT leaf FROM overhead_ancestor WHERE name = 'OSYNC' "
	"UNION SELECT leaf FROM temp.path_cause WHERE experiment = ?1), "
	"part AS (SELECT o.leaf, h.region, CASE WHEN w.leaf IS NULL THEN 0 ELSE h.id END "
	"AS call_path, n.region AS inner_region, o.pu, o.ns FROM drg_node n "
	"JOIN overhead o ON o.drg_node = n.id "
	"JOIN overhead_ancestor a ON a.leaf = o.leaf AND a.name = ?2 "
	"JOIN temp.call_path_of f ON f.node = n.id JOIN temp.call_path h ON h.id = f.call_path "
	"LEFT JOIN waits w ON w.leaf = o.leaf WHERE n.experiment = ?1 "
	"AND n.id IN (SELECT node FROM temp.chosen_node) "
	"AND o.pu IN (SELECT pu FROM temp.chosen_pu)), "
	"total AS (SELECT leaf, region, call_path, inner_region, pu, sum(ns) AS ns FROM part "
	"GROUP BY leaf, region, call_path, inner_region, pu) "
	"SELECT t.leaf, r.name, coalesce(h.name, r.name), r.file, r.line_start, u.process, "
	"u.thread, t.ns, i.type, i.name, NULL, v.process || '.' || v.thread, vn.name, w.name, "
	CAUSE_NAME("t.leaf", "k.name", "w.type") " || "
	CAUSE_STATE("c.asleep_ns", "c.no_processor_ns", "c.ns") ", 1.0 * c.estimated_ns / c.ns, "
	"h.path, k.path "
	"FROM total t "
	"JOIN region r ON r.id = t.region "
	"JOIN code_region i ON i.id = t.inner_region "
	"JOIN processing_unit u ON u.id = t.pu "
	"LEFT JOIN temp.call_path h ON h.id = t.call_path "
	"LEFT JOIN cause c ON c.call_path = t.call_path AND c.leaf = t.leaf "
	"LEFT JOIN processing_unit v ON v.id = c.pu "
	"LEFT JOIN temp.pu_name vn ON vn.pu = c.pu "
	"LEFT JOIN temp.call_path k ON k.id = c.cause "
	"LEFT JOIN code_region w ON w.id = k.region "
	"UNION ALL "
	"SELECT p.leaf, p.name, coalesce(h.name, p.name), p.file, p.line, NULL, NULL, p.ns, NULL, "
	"NULL, p.rule, NULL, NULL, NULL, NULL, NULL, p.path, NULL "
	"FROM temp.reference_part p "
	"LEFT JOIN temp.call_path_of f ON f.node = p.node "
	"LEFT JOIN temp.call_path h ON h.id = f.call_path "
	"JOIN overhead_ancestor a ON a.leaf = p.leaf AND a.name = ?2 "
	"WHERE p.rowid IN (SELECT part FROM temp.chosen_reference) "
	"ORDER BY 8 DESC, 2, 5, 17, 6, 7";

/* cost: how the cost of a counted leaf was computed, from the warning of counted_costs.c; NULL: the
 * leaf is not counted, or the experiment was merged without its warnings. */
struct filling { struct table *table; char *cost[SIS_OVERHEADS]; };

static int take_cost(void *arg, const struct cell *row, struct err *err)
{
	struct filling *f = arg;
	size_t length = strcspn(row[0].text, " ");
	enum sis_overhead leaf = sis_overhead_by_name(row[0].text, length);
	const char *rule = strstr(row[0].text, ": ");
	(void)err;
	if (leaf != O_NONE && rule && !f->cost[leaf])
		f->cost[leaf] = mem_string(rule + 2);
	return 0;
}

static char *row_rule(const struct filling *f, const struct cell *row)
{
	enum sis_overhead leaf = sis_overhead_by_name(row[LEAF].text, strlen(row[LEAF].text));
	if (row[TYPE].kind == CELL_NULL)
		return mem_string(row[RULE].text);
	if (own_leaf(row[TYPE].text, row[INNER].text) == leaf)
		return strcmp(row[INNER].text, row[NAME].text) == 0 ?
			mem_string("its own time") :
			mem_print("time of its %s", row[INNER].text);
	if (f->cost[leaf])
		return mem_string(f->cost[leaf]);
	for (enum sis_overhead o = leaf; o != O_NONE; o = sis_overhead_table[o].parent)
		for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
			if (rules[i].node == o)
				return mem_string(rules[i].rule);
	return mem_string("");
}

static int take_row(void *arg, const struct cell *row, struct err *err)
{
	struct filling *f = arg;
	char *rule = row_rule(f, row);
	(void)err;
	for (size_t i = LEAF; i <= NS; i++)
		table_copy(f->table, &row[i]);
	table_text(f->table, rule);
	for (size_t i = CAUSE; i < END; i++)
		table_copy(f->table, &row[i]);
	free(rule);
	return 0;
}

int explain_fill(struct table *table, struct repo *repo, int64_t experiment, enum sis_overhead node,
		 struct err *err)
{
	struct filling f = { .table = table };
	int rc = call_paths_load(repo, experiment, err);
	rc = rc ? rc : pu_names_load(repo, experiment, err);
	if (rc == 0)
		rc = repo_each(repo, take_cost, &f, err,
			       "SELECT text FROM warning WHERE experiment = ?1 AND kind = ?2", "it",
			       experiment, warning_kind_names[WARNING_COST]);
	if (rc == 0)
		rc = repo_each(repo, take_row, &f, err, booked, "it", experiment,
			       sis_overhead_table[node].name);
	for (int i = 0; i < SIS_OVERHEADS; i++)
		free(f.cost[i]);
	return rc;
}
