/* SPDX-License-Identifier: BSD-3-Clause */
/* main_cause.c - loads and prints the main cause of waits: the culprit whose delays cost most in
 * the region. One thread. */
#include "query/main_cause.h"

#include <stdlib.h>

#include "base/escape.h"
static const struct column columns[] = {
	{ "region", "", CELL_TEXT },	{ "file", "", CELL_TEXT },
	{ "line", "", CELL_INTEGER },	{ "process", "", CELL_INTEGER },
	{ "thread", "", CELL_INTEGER }, { "units", "", CELL_INTEGER },
	{ "part", "", CELL_REAL },	{ "waited", "", CELL_INTEGER },
};

/* ?1 experiment, ?2 region, ?3 node, ?4 its waits, mean over the PUs. A region in which others were
 * idle is its own cause, and is left out. */
static const char main_cause[] =
	"WITH cause AS (SELECT w.cause, sum(w.ns) AS ns, sum(w.passed_ns) AS passed_ns, "
	"max(w.most_ns), w.pu, w.units FROM wait_cause w "
	"JOIN overhead_ancestor a ON a.leaf = w.leaf AND a.name = ?3 "
	"WHERE w.experiment = ?1 AND w.region = ?2 GROUP BY w.cause) "
	"SELECT r.name, r.file, r.line_start, u.process, u.thread, c.units, "
	"CASE WHEN ?4 > 0 THEN 1.0 * c.ns / e.p / ?4 ELSE 0.0 END, c.passed_ns * 2 > c.ns "
	"FROM cause c "
	"JOIN region r ON r.id = c.cause "
	"JOIN processing_unit u ON u.id = c.pu "
	"JOIN experiment e ON e.id = ?1 "
	"WHERE c.ns > 0 AND r.id <> ?2 AND r.line_start "
	"ORDER BY c.ns DESC, r.id LIMIT 1";

int cause_load(struct cause *cause, struct repo *repo, int64_t experiment, int64_t region,
	       enum sis_overhead node, int64_t ns, struct err *err)
{
	struct table t;
	*cause = (struct cause){ 0 };
	table_init(&t, columns, sizeof columns / sizeof *columns);
	int rc = repo_fill(repo, &t, err, main_cause, "iiti", experiment, region,
			   sis_overhead_table[node].name, ns);
	if (rc == 0 && table_rows(&t) == 1)
		*cause = (struct cause){
			.region = mem_string(t.cell.at[0].text),
			.file = mem_string(t.cell.at[1].text),
			.line = t.cell.at[2].integer,
			.process = t.cell.at[3].integer,
			.thread = t.cell.at[4].integer,
			.pus = t.cell.at[5].integer,
			.part = t.cell.at[6].real,
			.waited = t.cell.at[7].integer,
		};
	table_release(&t);
	return rc;
}

void cause_release(struct cause *cause)
{
	free(cause->region), free(cause->file);
	*cause = (struct cause){ 0 };
}

void cause_print(const struct cause *cause, FILE *out)
{
	if (!cause->region)
		return;
	fprintf(out, " Mostly for %lld.%lld", (long long)cause->process, (long long)cause->thread);
	if (cause->pus > 1)
		fprintf(out, " and %lld more", (long long)cause->pus - 1);
	escape_print(out, "%s in %s (%s:%lld), %.0f %% of it.",
		     cause->waited ? ", itself waiting" : "", cause->region, cause->file,
		     (long long)cause->line, 100 * cause->part);
}

void cause_json(const struct cause *cause, struct json *json)
{
	if (!cause->region) {
		json_null(json);
		return;
	}
	json_open(json, '{');
	json_field_string(json, "region", cause->region);
	json_field_string(json, "file", cause->file);
	json_field_integer(json, "line_start", cause->line);
	json_field_integer(json, "process", cause->process);
	json_field_integer(json, "thread", cause->thread);
	json_field_integer(json, "culprits", cause->pus);
	json_field_real(json, "share", cause->part);
	json_field_bool(json, "waited", cause->waited);
	json_close(json, '}');
}
