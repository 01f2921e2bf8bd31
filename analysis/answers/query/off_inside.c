/* SPDX-License-Identifier: BSD-3-Clause */
/* off_inside.c - see off_inside.h. Owns nothing; one thread.
 *
 * The regions are found by their nodes in the call graph. A region that the budget turned off was
 * on before, so it has nodes. For a region that rules have off, the runtime makes nodes from time
 * to time (rtlib/measure/core/probe.c).
 * LIMIT: a path that was first taken while its region was off may have no node. Then the region
 * around the path is not marked. */
#include "answers/query/off_inside.h"

#include "base/escape.h"
#include "base/json.h"

enum { REGION, PLACE, TEXT, NAMES, COLUMNS };
static const struct column columns[COLUMNS] = {
	{ "region", "region", CELL_TEXT },
	{ "place", "place", CELL_TEXT },
	{ NULL, "includes", CELL_TEXT },
	{ "includes_off", NULL, CELL_RAW },
};

/* Goes up from each node of a region that was off to the nearest node whose region was never off.
 * The time of that node includes the time of the region that was off. Rules may turn off regions at
 * different times. So a node on the way whose region rules turned off may have been on meanwhile,
 * and then includes this time, too. It is left out if, in each process, its region was off whenever
 * the lower region was off. */
static const char fill[] =
	"INSERT INTO temp.off_inside "
	"WITH RECURSIVE low AS (SELECT DISTINCT region FROM turned_down "
	"WHERE experiment = ?1 AND rung = 'off'), "
	"ruled AS (SELECT process, region, count(*) = 1 AND sum(times) = 1 AS once, "
	"min(first_ns) AS first_ns, CASE WHEN count(on_ns) = count(*) THEN max(on_ns) END AS on_ns "
	"FROM switched_off WHERE experiment = ?1 AND what = 'region' GROUP BY process, region), "
	"off AS (SELECT region FROM low UNION SELECT region FROM ruled), "
	"up(region, at) AS (SELECT n.region, n.parent FROM drg_node n WHERE n.experiment = ?1 "
	"AND n.parent IS NOT NULL AND n.region IN (SELECT region FROM off) "
	"UNION SELECT up.region, n.parent FROM up JOIN drg_node n ON n.id = up.at "
	"WHERE n.parent IS NOT NULL AND n.region IN (SELECT region FROM off)) "
	"SELECT up.at, up.region FROM up JOIN drg_node n ON n.id = up.at "
	"WHERE n.region NOT IN (SELECT region FROM off) OR (n.region <> up.region "
	"AND n.region NOT IN (SELECT region FROM low) AND EXISTS (SELECT 1 FROM ruled i "
	"WHERE i.region = up.region AND NOT EXISTS (SELECT 1 FROM ruled a "
	"WHERE a.region = n.region AND a.process = i.process AND a.once "
	"AND a.first_ns <= i.first_ns "
	"AND (a.on_ns IS NULL OR a.on_ns >= i.on_ns))))";

int off_inside_load(struct repo *repo, int64_t experiment, struct err *err)
{
	int rc = repo_run(repo, err, "DROP TABLE IF EXISTS temp.off_inside", "");
	rc = rc ? rc :
		  repo_run(repo, err, "CREATE TEMP TABLE off_inside (node INTEGER, "
			   "region INTEGER, PRIMARY KEY (node, region))", "");
	return rc ? rc : repo_run(repo, err, fill, "i", experiment);
}

int off_inside_table(struct table *table, struct repo *repo, int64_t experiment, struct err *err)
{
	static const char sql[] =
		"SELECT r.name, r.place, " OFF_INSIDE_TEXT(OFF_INSIDE_REGION("r.id")) ", "
		OFF_INSIDE_JSON(OFF_INSIDE_REGION("r.id")) " "
		"FROM region r WHERE r.id IN (SELECT n.region FROM drg_node n "
		"JOIN temp.off_inside o ON o.node = n.id WHERE n.experiment = ?1) "
		"ORDER BY r.name, r.id";
	table_init(table, columns, COLUMNS);
	return repo_fill(repo, table, err, sql, "i", experiment);
}

void off_inside_print(const struct table *table, size_t most, FILE *out)
{
	size_t n = table_rows(table);
	for (size_t i = 0; i < n && i < most; i++) {
		const struct cell *row = table_cell(table, i, 0);
		escape_print(out, "  %s (%s) includes %s", row[REGION].text, row[PLACE].text,
			     row[TEXT].text);
		putc('\n', out);
	}
	if (n > most)
		fprintf(out, "  and %zu more; sis-analyze regions shows all\n", n - most);
}

void off_inside_json(const struct table *table, struct json *json)
{
	json_open(json, '[');
	for (size_t i = 0; i < table_rows(table); i++) {
		const struct cell *row = table_cell(table, i, 0);
		json_open(json, '{');
		for (int c = 0; c < COLUMNS; c++) {
			if (!columns[c].key)
				continue;
			json_key(json, columns[c].key);
			cell_json(json, &row[c]);
		}
		json_close(json, '}');
	}
	json_close(json, ']');
}
