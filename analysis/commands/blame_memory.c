/* SPDX-License-Identifier: BSD-3-Clause */
/* blame_memory.c - see blame_memory.h. One thread. */
#include "commands/blame_memory.h"

#include <string.h>

#include "base/escape.h"
#include "commands/table_view.h"

/* -- the table --------------------------------------------------------------------------------- */

enum { SHOWN_MEMORY, SHOWN_PART_OF, SHOWN_KIND, SHOWN_TYPE, SHOWN_PLACE, SHOWN_PATH, SHOWN_UNIT,
       SHOWN_ALLOCATIONS, SHOWN_FREED, SHOWN_BYTES, SHOWN_MOST, SHOWN_LARGEST, SHOWN_LIFE,
       SHOWN_SAMPLES, SHOWN_SHARE, SHOWN_MEAN, SHOWN_DEVIATION, SHOWN_FACTOR, FIRST_FOR_PROGRAMS,
       SHOWN_COLUMNS = FIRST_FOR_PROGRAMS + 9 };
static const struct column shown_columns[SHOWN_COLUMNS] = {
	[SHOWN_MEMORY] = { "memory", "memory", CELL_TEXT },
	[SHOWN_PART_OF] = { NULL, "part of", CELL_TEXT },
	[SHOWN_KIND] = { "kind", "kind", CELL_TEXT },
	[SHOWN_TYPE] = { "type", "type", CELL_TEXT },
	[SHOWN_PLACE] = { NULL, "place", CELL_TEXT },
	[SHOWN_PATH] = { NULL, "call path", CELL_TEXT },
	[SHOWN_UNIT] = { "unit", "of", CELL_TEXT },
	[SHOWN_ALLOCATIONS] = { "allocations", "allocated", CELL_INTEGER },
	[SHOWN_FREED] = { "freed", "freed", CELL_INTEGER },
	[SHOWN_BYTES] = { "bytes", "bytes", CELL_INTEGER },
	[SHOWN_MOST] = { "most_bytes", "at most", CELL_INTEGER },
	[SHOWN_LARGEST] = { "largest_bytes", "largest", CELL_INTEGER },
	[SHOWN_LIFE] = { "life_seconds", "mean life [s]", CELL_SECONDS },
	[SHOWN_SAMPLES] = { "samples", "samples", CELL_INTEGER },
	[SHOWN_SHARE] = { "share", "share", CELL_SHARE },
	[SHOWN_MEAN] = { "mean", "mean", CELL_REAL },
	[SHOWN_DEVIATION] = { "deviation", "deviation", CELL_REAL },
	[SHOWN_FACTOR] = { "imbalance", "max/mean", CELL_FACTOR },
	[FIRST_FOR_PROGRAMS] = { "name", NULL, CELL_TEXT },
	{ "function", NULL, CELL_TEXT },
	{ "container", NULL, CELL_TEXT },
	{ "container_function", NULL, CELL_TEXT },
	{ "file", NULL, CELL_TEXT },
	{ "line", NULL, CELL_INTEGER },
	{ "path", NULL, CELL_TEXT },
	{ "module", NULL, CELL_TEXT },
	{ "weight", NULL, CELL_INTEGER },
};

/* SQL: the name of the memory that a line stands for. */
#define LABEL \
	"CASE m.kind WHEN 'other' THEN 'small allocations and memory of libraries' " \
	"WHEN 'none' THEN 'no memory' WHEN 'unknown' THEN 'not known' " \
	"WHEN 'heap' THEN CASE m.name WHEN '' THEN '-' ELSE m.name END " \
	"WHEN 'mapping' THEN CASE m.name WHEN '' THEN '-' ELSE m.name END " \
	"ELSE CASE WHEN m.name = '' THEN " \
	"CASE m.kind WHEN 'static' THEN CASE m.type WHEN 'constant' THEN 'constants' " \
	"ELSE 'static data' END || CASE m.module WHEN '' THEN '' ELSE ' of ' || m.module END " \
	"WHEN 'stack' THEN CASE WHEN m.function <> '' THEN 'stack of ' || m.function " \
	"WHEN m.module <> '' THEN 'stack of ' || m.module ELSE 'stack of unknown code' END " \
	"ELSE 'thread-local data' END " \
	"WHEN m.function <> '' AND m.kind <> 'stack' THEN m.function || '.' || m.name " \
	"ELSE m.name END END"
#define IS_ALLOCATED "m.kind IN ('heap', 'mapping')"

/* ?1 experiment, ?2 all samples, ?3 units, ?4 1: a line for each unit, ?5 1: small lines are left
 * out. A line is small if its memory has less than a thousandth of the samples and less than a
 * hundredth of the allocated bytes. */
static const char lines[] =
	"WITH used AS (SELECT m.id AS memory, u.unit, u.name AS unit_name, "
	"sum(s.allocations) AS allocations, sum(s.freed) AS freed, sum(s.bytes) AS bytes, "
	"sum(s.most_bytes) AS most, max(s.largest_bytes) AS largest, sum(s.life_ns) AS life, "
	"sum(s.samples) AS samples, sum(s.weight) AS weight "
	"FROM memory m JOIN memory_use s ON s.memory = m.id "
	"JOIN temp.blame_unit u ON u.pu = s.pu WHERE m.experiment = ?1 "
	"GROUP BY m.id, u.unit, u.name), "
	"line AS (SELECT memory, CASE WHEN ?4 THEN unit_name END AS unit_name, "
	"sum(allocations) AS allocations, sum(freed) AS freed, sum(bytes) AS bytes, "
	"sum(most) AS most, max(largest) AS largest, sum(life) AS life, "
	"sum(samples) AS samples, sum(weight) AS weight, max(samples) AS peak, "
	"sum(1.0 * samples * samples) AS squares FROM used "
	"GROUP BY memory, CASE WHEN ?4 THEN unit END, CASE WHEN ?4 THEN unit_name END), "
	"placed AS (SELECT l.*, sum(samples) OVER (PARTITION BY memory) AS whole, "
	"sum(most) OVER (PARTITION BY memory) AS whole_most, sum(most) OVER () AS all_most, "
	"CASE WHEN NOT ?4 THEN 1.0 * ?3 END AS n FROM line l) "
	"SELECT " LABEL ", CASE WHEN m.container = '' OR NOT " IS_ALLOCATED " OR "
	"(m.container = m.name AND m.container_function = m.function) THEN '' "
	"ELSE m.container || CASE m.container_function WHEN '' THEN '' "
	"ELSE ' of ' || m.container_function END END, "
	"m.kind, CASE m.name || m.type WHEN 'constant' THEN '' ELSE m.type END, "
	"CASE WHEN m.file <> '' THEN m.file || ':' || m.line "
	"WHEN " IS_ALLOCATED " THEN m.module ELSE '' END, "
	"replace(m.path, '/', ' > '), l.unit_name, "
	"CASE WHEN " IS_ALLOCATED " THEN l.allocations END, "
	"CASE WHEN " IS_ALLOCATED " THEN l.freed END, "
	"CASE WHEN " IS_ALLOCATED " THEN l.bytes ELSE nullif(m.bytes, 0) END, "
	"CASE WHEN " IS_ALLOCATED " THEN l.most END, "
	"CASE WHEN " IS_ALLOCATED " THEN l.largest END, "
	"CASE WHEN l.freed > 0 THEN l.life / l.freed END, l.samples, "
	"CASE WHEN ?2 > 0 THEN 1.0 * l.samples / ?2 END, round(l.samples / l.n, 1), "
	"round(sqrt(max(0, l.squares / l.n - (l.samples / l.n) * (l.samples / l.n))), 1), "
	"CASE WHEN l.samples > 0 THEN l.peak * l.n / l.samples END, "
	"m.name, m.function, m.container, m.container_function, nullif(m.file, ''), "
	"nullif(m.line, 0), nullif(m.path, ''), m.module, l.weight "
	"FROM placed l JOIN memory m ON m.id = l.memory "
	"WHERE NOT ?5 OR 1000.0 * l.whole >= ?2 OR 100.0 * l.whole_most > l.all_most "
	"ORDER BY CASE m.kind WHEN 'other' THEN 1 WHEN 'none' THEN 2 WHEN 'unknown' THEN 3 "
	"ELSE 0 END, l.whole DESC, l.whole_most DESC, m.name, m.file, m.line, m.path, m.id, "
	"l.samples DESC, l.unit_name";

/* Prints the table, as text without columns that tell nothing. */
static int print_table(struct context *c, const struct blame_view *view, struct table *table,
		       struct err *err)
{
	struct column column[SHOWN_COLUMNS];
	bool spread = !view->by_unit && view->units > 1;
	memcpy(column, shown_columns, sizeof column);
	for (size_t i = 0; i < FIRST_FOR_PROGRAMS; i++) {
		bool of_spread = i >= SHOWN_MEAN;
		if ((of_spread && !spread) || (i > SHOWN_KIND && i < SHOWN_SAMPLES &&
					       !table_has_value(table, i)))
			column[i].title = NULL;
	}
	table->column = column;
	int rc = shape_print(c, table, "blame", err);
	table->column = shown_columns;
	return rc;
}

/* -- notes on the samples ---------------------------------------------------------------------- */

static const struct column text_column[] = { { "text", "", CELL_TEXT } };

/* ?1 experiment, ?2 all samples, ?3 lines that are shown. */
static const char notes[] =
	"WITH part AS (SELECT sum(CASE WHEN m.kind NOT IN ('none', 'unknown') THEN s.samples END) "
	"AS known, sum(CASE m.kind WHEN 'none' THEN s.samples END) AS none, "
	"sum(CASE m.kind WHEN 'unknown' THEN s.samples END) AS unknown, "
	"count(DISTINCT m.id) AS objects "
	"FROM memory m JOIN memory_use s ON s.memory = m.id WHERE m.experiment = ?1) "
	"SELECT printf('%d line%s with little memory and less than 0.1 %% of the samples %s not "
	"shown; --json has all.', objects - ?3, CASE objects - ?3 WHEN 1 THEN '' ELSE 's' END, "
	"CASE objects - ?3 WHEN 1 THEN 'is' ELSE 'are' END) FROM part WHERE objects > ?3 "
	"UNION ALL SELECT printf('%.1f %% of the samples access memory, %.1f %% access none, "
	"and of %.1f %% it is not known.', 100.0 * coalesce(known, 0) / ?2, "
	"100.0 * coalesce(none, 0) / ?2, 100.0 * coalesce(unknown, 0) / ?2) FROM part WHERE ?2 > 0 "
	"UNION ALL SELECT 'No sample says which memory it accesses: the threads were looked at "
	"from outside.' WHERE ?2 = 0 "
	"UNION ALL SELECT CASE WHEN s.least_bytes > 0 THEN 'Allocations of less than ' || "
	"s.least_bytes || ' bytes are not recorded; SIS_BLAME_BYTES=N of the run changes that.' "
	"ELSE 'Allocations were not recorded: the program was not built with --sis-blame.' END "
	"FROM sampling s WHERE s.experiment = ?1 "
	"UNION ALL SELECT s.memory_lost || ' allocations found no room; their memory counts as "
	"small allocations.' FROM sampling s WHERE s.experiment = ?1 AND s.memory_lost > 0";

static int check_recorded(struct context *c, const struct blame_view *view, struct err *err)
{
	int64_t found;
	int rc = repo_number(c->repo, &found, err,
			     "SELECT 1 FROM sampling WHERE experiment = ? "
			     "AND least_bytes IS NOT NULL", "i", view->experiment);
	if (rc < 0 || rc == 1)
		return rc < 0 ? ERR_FAILED : 0;
	return err_fail(err, "this experiment does not have which memory its samples access; build "
			"the program with sisc --sis-blame, and run it with "
			"SIS_BLAME=1");
}

int blame_print_memory(struct context *c, const struct blame_view *view, struct err *err)
{
	struct table table;
	int64_t samples = 0, shown = 0;
	bool small = c->format == FORMAT_TEXT && !shape_is_given(&c->cli);
	int rc = check_recorded(c, view, err);
	if (rc == 0 && repo_number(c->repo, &samples, err,
				   "SELECT coalesce(sum(s.samples), 0) FROM memory m "
				   "JOIN memory_use s ON s.memory = m.id WHERE m.experiment = ?",
				   "i", view->experiment) < 0)
		rc = ERR_FAILED;
	table_init(&table, shown_columns, SHOWN_COLUMNS);
	rc = rc ? rc : repo_fill(c->repo, &table, err, lines, "iiiii", view->experiment, samples,
				 view->units, (int64_t)view->by_unit, (int64_t)small);
	shown = small && !view->by_unit ? (int64_t)table_rows(&table) : INT64_MAX;
	rc = rc ? rc : print_table(c, view, &table, err);
	table_release(&table);
	if (rc || c->format != FORMAT_TEXT)
		return rc;
	puts("");
	table_init(&table, text_column, 1);
	rc = repo_fill(c->repo, &table, err, notes, "iii", view->experiment, samples, shown);
	for (size_t r = 0; rc == 0 && r < table_rows(&table); r++)
		escape_line(stdout, "%s", table_cell(&table, r, 0)->text);
	table_release(&table);
	return rc;
}
