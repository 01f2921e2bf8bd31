/* SPDX-License-Identifier: BSD-3-Clause */
/* explain.c - the origin of each number of the overhead tree. Owns nothing; one thread. A leaf is
 * either the exclusive time of a region whose type or routine has this leaf (regions.def,
 * calls.def, mpi.def), or a rule has moved time there (rules.def). Region and leaf together say
 * which. */
#include "query/explain.h"
#include "model/experiment.h"

#include <stdlib.h>
#include <string.h>

const struct column explain_columns[EXPLAIN_COLUMNS] = {
	{ "overhead", "overhead", CELL_TEXT },	{ "region", "region", CELL_TEXT },
	{ "file", "file", CELL_TEXT },		{ "line_start", "line", CELL_INTEGER },
	{ "process", "process", CELL_INTEGER }, { "thread", "thread", CELL_INTEGER },
	{ "seconds", "seconds", CELL_SECONDS }, { "rule", "rule", CELL_TEXT },
	{ "culprit", "for", CELL_TEXT },	{ "cause", "in", CELL_TEXT },
};

static const struct { enum sis_overhead node; const char *rule; } rules[] = {
#define SIS_RULE(node, rule) { node, rule },
#include "rules.def"
#undef SIS_RULE
};

static const char *rule_of(enum sis_overhead leaf)
{
	for (enum sis_overhead o = leaf; o != O_NONE; o = sis_overhead_table[o].parent)
		for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
			if (rules[i].node == o)
				return rules[i].rule;
	return "";
}

/* The leaf of a region's exclusive time, as regions.c finds it: for calls by the routine, else by
 * the type. */
static enum sis_overhead own_leaf(const char *type, const char *name)
{
	enum sis_region_type t = sis_region_by_name(type, strlen(type));
	bool is_name = t == CR_F || t == CR_A || t == CR_P;
	const struct sis_routine_info *routine = is_name ? NULL : sis_routine_by_name(name);
	return routine ? routine->leaf : t ? sis_region_table[t].leaf : O_NONE;
}

/* ?1 experiment, ?2 node. Rows by region of the source, with the region that the time was booked
 * in. */
static const char booked[] =
	"WITH cause AS (SELECT region, leaf, cause, pu, max(ns) FROM wait_cause "
	"WHERE experiment = ?1 AND ns > 0 GROUP BY region, leaf) "
	"SELECT o.leaf, r.name, r.file, r.line_start, u.process, u.thread, sum(o.ns), i.type, "
	"i.name, NULL, v.process || '.' || v.thread, w.name "
	"FROM drg_node n "
	"JOIN overhead o ON o.drg_node = n.id "
	"JOIN overhead_ancestor a ON a.leaf = o.leaf AND a.name = ?2 "
	"JOIN drg_node s ON s.id = n.source_node "
	"JOIN region r ON r.id = s.region "
	"JOIN code_region i ON i.id = n.region "
	"JOIN processing_unit u ON u.id = o.pu "
	"LEFT JOIN cause c ON c.region = s.region AND c.leaf = o.leaf "
	"LEFT JOIN processing_unit v ON v.id = c.pu "
	"LEFT JOIN code_region w ON w.id = c.cause "
	"WHERE n.experiment = ?1 "
	"GROUP BY o.leaf, r.id, i.id, u.id "
	"UNION ALL "
	"SELECT p.leaf, p.name, p.file, p.line, NULL, NULL, p.ns, NULL, NULL, p.rule, NULL, NULL "
	"FROM temp.reference_part p "
	"JOIN overhead_ancestor a ON a.leaf = p.leaf AND a.name = ?2 "
	"ORDER BY 7 DESC, 2, 4, 5, 6";

/* How the cost of a counted leaf was found, in the words of the warning of counted_costs.c; empty:
 * the leaf is not counted, or the experiment was merged without warnings. */
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
	enum sis_overhead leaf = sis_overhead_by_name(row[0].text, strlen(row[0].text));
	if (row[7].kind == CELL_NULL)
		return mem_string(row[9].text);
	if (own_leaf(row[7].text, row[8].text) == leaf)
		return strcmp(row[8].text, row[1].text) == 0 ?
			mem_string("its own time") :
			mem_print("time of its %s", row[8].text);
	if (f->cost[leaf])
		return mem_string(f->cost[leaf]);
	return mem_string(rule_of(leaf));
}

static int take_row(void *arg, const struct cell *row, struct err *err)
{
	struct filling *f = arg;
	struct table *table = f->table;
	char *rule = row_rule(f, row);
	(void)err;
	table_text(table, row[0].text), table_text(table, row[1].text),
		table_text(table, row[2].text);
	table_integer(table, row[3].integer);
	for (size_t i = 4; i < 6; i++)
		if (row[i].kind == CELL_NULL)
			table_null(table);
		else
			table_integer(table, row[i].integer);
	table_seconds(table, row[6].integer);
	table_text(table, rule);
	for (size_t i = 10; i < 12; i++)
		table_text(table, row[i].kind == CELL_NULL ? NULL : row[i].text);
	free(rule);
	return 0;
}

int explain_fill(struct table *table, struct repo *repo, int64_t experiment, enum sis_overhead node,
		 struct err *err)
{
	struct filling f = { .table = table };
	int rc = repo_each(repo, take_cost, &f, err,
			   "SELECT text FROM warning WHERE experiment = ?1 AND kind = ?2", "it",
			   experiment, warning_kind_names[WARNING_COST]);
	if (rc == 0)
		rc = repo_each(repo, take_row, &f, err, booked, "it", experiment,
			       sis_overhead_table[node].name);
	for (int i = 0; i < SIS_OVERHEADS; i++)
		free(f.cost[i]);
	return rc;
}
