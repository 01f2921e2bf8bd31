/* SPDX-License-Identifier: BSD-3-Clause */
/* switched_off.c - see switched_off.h. Owns nothing; one thread. In the repository each process has
 * rows of its own. Here these rows are joined: a thing is off from the time when the first process
 * turned it off to the time when the last process turned it on again. */
#include "answers/query/switched_off.h"

#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/json.h"

enum { WHAT, REGION, PLACE, CAUSE, RULE, ACTION, TIMES, FROM, TO, SECONDS, PROCESSES, ALL, LISTS,
       COLUMNS };
static const struct column columns[COLUMNS] = {
	{ "what", "what", CELL_TEXT },	    { "region", "region", CELL_TEXT },
	{ "place", "place", CELL_TEXT },    { "cause", "cause", CELL_TEXT },
	{ "rule", "rule", CELL_TEXT },	    { "action", "action", CELL_TEXT },
	{ "times", "times", CELL_INTEGER }, { "from", "from [s]", CELL_SECONDS },
	{ "to", "to [s]", CELL_SECONDS },   { "seconds", "seconds", CELL_SECONDS },
	{ "processes", "processes", CELL_INTEGER }, { "of", "of", CELL_INTEGER },
	{ NULL, NULL, CELL_INTEGER },
};

/* Column `seconds` has the largest sum of one process or thread. */
static const char sql[] =
	"SELECT w.what, r.name, nullif(r.place, '-'), "
	"w.cause, w.place, w.action, sum(w.times), min(w.first_ns), "
	"CASE WHEN count(w.on_ns) = count(*) THEN max(w.on_ns) END, max(w.off_ns), "
	"count(DISTINCT w.process), "
	"(SELECT count(DISTINCT process) FROM processing_unit WHERE experiment = ?1), count(*) "
	"FROM switched_off w LEFT JOIN region r ON r.id = w.region WHERE w.experiment = ?1 "
	"GROUP BY w.what, w.region, w.cause, w.place, w.action "
	"ORDER BY min(w.first_ns), w.what, w.cause, w.place, w.action, r.name, w.region";

int switched_off_load(struct table *table, struct repo *repo, int64_t experiment, struct err *err)
{
	table_init(table, columns, COLUMNS);
	return repo_fill(repo, table, err, sql, "i", experiment);
}

static double seconds(const struct cell *cell) { return (double)cell->integer / 1e9; }

static bool is(const struct cell *cell, const char *text) { return strcmp(cell->text, text) == 0; }

static const char *name_of(const struct cell *row)
{
	return row[REGION].kind == CELL_TEXT ? row[REGION].text : "?";
}

/* Writes the subject of a line for `n` rows that differ only in their regions. */
static void put_subject(struct buf *text, const struct table *table, size_t first, size_t n)
{
	enum { NAMED = 5 };
	const struct cell *row = table_cell(table, first, 0);
	if (is(&row[WHAT], "trace") || is(&row[WHAT], "thread")) {
		buf_print(text, "the %s: ", is(&row[WHAT], "trace") ? "trace" : "measurement");
		return;
	}
	buf_print(text, "%s", is(&row[WHAT], "counters") ? "counters of " : "");
	if (n == 1)
		buf_print(text, "%s (%s): ", name_of(row),
			  row[PLACE].kind == CELL_TEXT ? row[PLACE].text : "-");
	else
		buf_print(text, "%zu regions (", n);
	for (size_t i = 0; n > 1 && i < n && i < NAMED; i++)
		buf_print(text, "%s%s", i ? ", " : "", name_of(table_cell(table, first + i, 0)));
	if (n > 1)
		buf_print(text, "%s): ", n > NAMED ? ", ..." : "");
}

/* Returns a line such as: leaf (a.c:3): off 12 times, 0.300 s in all, from 0.010 s to 0.450 s, by
 * r:2 (off leaf) */
static char *sentence(const struct table *table, size_t first, size_t n)
{
	struct buf text = { 0 };
	const struct cell *row = table_cell(table, first, 0);
	bool by_hand = is(&row[CAUSE], "command");
	bool once = row[TIMES].integer == row[LISTS].integer;
	put_subject(&text, table, first, n);
	buf_print(&text, "off ");
	if (!once)
		buf_print(&text, "%lld times, %.3f s in all%s, ", (long long)row[TIMES].integer,
			  seconds(&row[SECONDS]),
			  row[LISTS].integer > 1 ? " where it was most" : "");
	if (row[TO].kind == CELL_NULL)
		buf_print(&text, "from %.3f s on", seconds(&row[FROM]));
	else
		buf_print(&text, "from %.3f s to %.3f s", seconds(&row[FROM]), seconds(&row[TO]));
	if (row[PROCESSES].integer < row[ALL].integer)
		buf_print(&text, ", in %lld of %lld processes", (long long)row[PROCESSES].integer,
			  (long long)row[ALL].integer);
	buf_print(&text, ", by %s", by_hand ? "sis-analyze control" :
		  *row[RULE].text	    ? row[RULE].text :
					      row[CAUSE].text);
	if (*row[ACTION].text)
		buf_print(&text, " (%s)", row[ACTION].text);
	return buf_take(&text);
}

/* Whether two rows differ only in their regions. */
static bool is_alike(const struct cell *a, const struct cell *b)
{
	return is(&a[WHAT], b[WHAT].text) && is(&a[CAUSE], b[CAUSE].text) &&
		is(&a[RULE], b[RULE].text) && is(&a[ACTION], b[ACTION].text) &&
		a[REGION].kind == CELL_TEXT && a[TIMES].integer == b[TIMES].integer &&
		a[FROM].integer == b[FROM].integer && a[TO].kind == b[TO].kind &&
		a[TO].integer == b[TO].integer && a[PROCESSES].integer == b[PROCESSES].integer &&
		a[LISTS].integer == b[LISTS].integer;
}

void switched_off_print(const struct table *table, size_t most, FILE *out)
{
	size_t n = table_rows(table), lines = 0;
	for (size_t i = 0, next; i < n; i = next) {
		for (next = i + 1; next < n && is_alike(table_cell(table, i, 0),
							table_cell(table, next, 0));)
			next++;
		if (lines++ >= most)
			continue;
		char *text = sentence(table, i, next - i);
		escape_line(out, "  %s", text);
		mem_free((void **)&text);
	}
	if (lines > most)
		fprintf(out, "  and %zu more; sis-analyze show lists all\n", lines - most);
}

void switched_off_json(const struct table *table, struct json *json)
{
	json_open(json, '[');
	for (size_t i = 0; i < table_rows(table); i++) {
		const struct cell *row = table_cell(table, i, 0);
		char *text = sentence(table, i, 1);
		json_open(json, '{');
		for (int c = 0; c < LISTS; c++) {
			json_key(json, columns[c].key);
			cell_json(json, &row[c]);
		}
		json_field_string(json, "text", text);
		json_close(json, '}');
		mem_free((void **)&text);
	}
	json_close(json, ']');
}
