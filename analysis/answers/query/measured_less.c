/* SPDX-License-Identifier: BSD-3-Clause */
/* measured_less.c - see measured_less.h. Owns nothing; one thread. Each process turns regions down
 * by itself, so a row says how many processes chose this rung for the region. */
#include "answers/query/measured_less.h"

#include <string.h>

#include "base/escape.h"
#include "base/json.h"

enum { REGION, PLACE, RUNG, FROM, PROCESSES, ALL, KEY, IS_TASK, COLUMNS };
static const struct column columns[COLUMNS] = {
	{ "region", "region", CELL_TEXT },	  { "place", "place", CELL_TEXT },
	{ "rung", "measured", CELL_TEXT },	  { "from", "from [s]", CELL_SECONDS },
	{ "processes", "processes", CELL_INTEGER }, { "of", "of", CELL_INTEGER },
	{ NULL, NULL, CELL_INTEGER },		  { NULL, NULL, CELL_INTEGER },
};

/* The regions that were off come first, then the regions that were measured least. */
static const char sql[] =
	"WITH d AS (SELECT region, rung, min(time_ns) AS time_ns, count(DISTINCT process) AS n, "
	"CASE rung WHEN 'off' THEN 0 WHEN 'sampled' THEN 1 WHEN 'fraction' THEN 2 ELSE 3 END AS "
	"place FROM turned_down WHERE experiment = ?1 GROUP BY region, rung) "
	"SELECT r.name, r.place, "
	"d.rung, d.time_ns, d.n, "
	"(SELECT count(DISTINCT process) FROM processing_unit WHERE experiment = ?1), r.id, "
	"r.type = 'CR_OMPTASKBODY' "
	"FROM d JOIN region r ON r.id = d.region "
	"ORDER BY min(d.place) OVER (PARTITION BY r.id), r.name, r.id, d.time_ns";

int measured_less_load(struct table *table, struct repo *repo, int64_t experiment, struct err *err)
{
	table_init(table, columns, COLUMNS);
	return repo_fill(repo, table, err, sql, "i", experiment);
}

/* A task can be off only when it is executed at once: deferred tasks are always measured. */
static const char *words_of(const char *rung, bool is_task)
{
	return strcmp(rung, "off") == 0	       ? is_task ? "if executed at once, off" : "off" :
	       strcmp(rung, "sampled") == 0    ? "times by samples" :
	       strcmp(rung, "fraction") == 0   ? "one call in 16 timed" :
						 "each call timed again";
}

void measured_less_print(const struct table *table, size_t most, FILE *out)
{
	int64_t last = -1;
	size_t regions = 0;
	for (size_t i = 0; i < table_rows(table); i++) {
		const struct cell *row = table_cell(table, i, 0);
		bool first = row[KEY].integer != last;
		last = row[KEY].integer;
		regions += first;
		if (regions > most)
			continue;
		if (first && i)
			putc('\n', out);
		if (first)
			escape_print(out, "  %s (%s)", row[REGION].text, row[PLACE].text);
		fprintf(out, "%s%s from %.3f s on", first ? ": " : "; ",
			words_of(row[RUNG].text, row[IS_TASK].integer),
			(double)row[FROM].integer / 1e9);
		if (row[PROCESSES].integer < row[ALL].integer)
			fprintf(out, " (%lld of %lld processes)", (long long)row[PROCESSES].integer,
				(long long)row[ALL].integer);
	}
	if (regions)
		putc('\n', out);
	if (regions > most)
		fprintf(out, "  and %zu more; sis-analyze show lists all\n", regions - most);
}

void measured_less_json(const struct table *table, struct json *json)
{
	json_open(json, '[');
	for (size_t i = 0; i < table_rows(table); i++) {
		const struct cell *row = table_cell(table, i, 0);
		json_open(json, '{');
		for (int c = 0; c < KEY; c++) {
			json_key(json, columns[c].key);
			cell_json(json, &row[c]);
		}
		json_close(json, '}');
	}
	json_close(json, ']');
}
