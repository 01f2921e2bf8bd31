/* SPDX-License-Identifier: BSD-3-Clause */
/* main_cause.c - loads and prints the main cause of waits: the call path whose delays cost most.
 * One thread. */
#include "answers/query/main_cause.h"

#include <stdlib.h>

#include "base/escape.h"
#include "base/path.h"
#include "answers/query/call_paths.h"
#include "answers/query/pu_names.h"

static const struct column columns[] = {
	{ "region", "", CELL_TEXT },	{ "file", "", CELL_TEXT },
	{ "line", "", CELL_INTEGER },	{ "process", "", CELL_INTEGER },
	{ "thread", "", CELL_INTEGER }, { "units", "", CELL_INTEGER },
	{ "part", "", CELL_REAL },	{ "waited", "", CELL_INTEGER },
	{ "estimated", "", CELL_REAL }, { "path", "", CELL_TEXT },
	{ "name", "", CELL_TEXT },	{ "pu", "", CELL_TEXT },
	{ "asleep", "", CELL_INTEGER },
};

/* ?1 experiment, ?2 region, ?3 node of the overhead tree, ?4 wait_place.ns, ?5 call path or 0. The
 * region of the waits itself is left out: a region in which others were idle is the cause of its
 * own waits. */
static const char main_cause[] =
	"WITH cause AS (SELECT w.cause, sum(w.ns) AS ns, sum(w.passed_ns) AS passed_ns, "
	"sum(w.estimated_ns) AS estimated_ns, sum(w.asleep_ns) AS asleep_ns, "
	"sum(w.no_processor_ns) AS no_processor_ns, "
	"sum(w.ns + w.indirect_ns) AS both_ns, max(w.most_ns), w.pu, w.units "
	"FROM temp.path_cause w JOIN overhead_ancestor a ON a.leaf = w.leaf AND a.name = ?3 "
	"JOIN temp.call_path h ON h.id = w.call_path "
	"WHERE w.experiment = ?1 AND h.region = ?2 AND ?5 IN (0, h.id) GROUP BY w.cause) "
	"SELECT r.name, r.file, r.line_start, u.process, u.thread, c.units, "
	"CASE WHEN ?4 > 0 THEN 1.0 * (c.ns - c.passed_ns - c.no_processor_ns) / e.p / ?4 "
	"ELSE 0.0 END, "
	"c.passed_ns * 2 > c.ns, "
	"CASE WHEN ?4 > 0 THEN 1.0 * c.estimated_ns / e.p / ?4 ELSE 0.0 END, h.path, "
	"h.name, n.name, 2 * c.asleep_ns > c.both_ns "
	"FROM cause c "
	"JOIN temp.call_path h ON h.id = c.cause "
	"JOIN region r ON r.id = h.region "
	"JOIN processing_unit u ON u.id = c.pu "
	"JOIN temp.pu_name n ON n.pu = c.pu "
	"JOIN experiment e ON e.id = ?1 "
	"WHERE c.ns > 0 AND r.id <> ?2 AND (r.line_start OR r.type = 'CR_SAMPLED') "
	"ORDER BY c.ns - c.passed_ns - c.no_processor_ns DESC, c.ns DESC, c.cause LIMIT 1";

int cause_load(struct cause *cause, struct repo *repo, int64_t experiment,
	       const struct wait_place *waits, struct err *err)
{
	struct table t;
	*cause = (struct cause){ 0 };
	if (call_paths_load(repo, experiment, err) || pu_names_load(repo, experiment, err))
		return ERR_FAILED;
	table_init(&t, columns, sizeof columns / sizeof *columns);
	int rc = repo_fill(repo, &t, err, main_cause, "iitii", experiment, waits->region,
			   sis_overhead_table[waits->node].name, waits->ns, waits->call_path);
	if (rc == 0 && table_rows(&t) == 1) {
		const struct cell *row = t.cell.at;
		*cause = (struct cause){
			.region = mem_string(row[0].text),
			.file = mem_string(row[1].text),
			.line = row[2].integer,
			.process = row[3].integer,
			.thread = row[4].integer,
			.pus = row[5].integer,
			.part = row[6].real,
			.waited = row[7].integer,
			.estimated = row[8].real,
			.path = mem_string(row[9].text),
			.name = mem_string(row[10].text),
			.pu = mem_string(row[11].text),
			.asleep = row[12].integer,
		};
	}
	table_release(&t);
	return rc;
}

void cause_release(struct cause *cause)
{
	free(cause->region), free(cause->file);
	free(cause->path), free(cause->name), free(cause->pu);
	*cause = (struct cause){ 0 };
}

static void print_units(const struct cause *cause, FILE *out)
{
	escape_print(out, "%s", cause->pu);
	if (cause->pus > 1)
		fprintf(out, " and %lld other processing unit%s", (long long)cause->pus - 1,
			cause->pus > 2 ? "s" : "");
	fputs(cause->waited ? ", itself waiting," : cause->asleep ? ", asleep" : "", out);
}

static void print_place(const struct cause *cause, FILE *out)
{
	char *place = path_place(cause->file, cause->line);
	escape_print(out, "%s (%s)", cause->name, place);
	free(place);
}

bool cause_leads(const struct cause *cause)
{
	return cause->region && cause->part >= 0.5 && !cause->waited;
}

void cause_print_lead(const struct cause *cause, FILE *out)
{
	print_place(cause, out);
	fputs(", ", out);
	print_units(cause, out);
	fputs(", makes others wait in ", out);
}

void cause_print(const struct cause *cause, FILE *out)
{
	if (!cause->region || cause->part < 0.1)
		return;
	if (cause_leads(cause)) {
		fprintf(out, " It is the cause of %.0f %% of it", 100 * cause->part);
	} else {
		fprintf(out, " Cause of %.0f %% of it: ", 100 * cause->part);
		print_units(cause, out);
		fputs(" in ", out);
		print_place(cause, out);
	}
	if (cause->estimated > 0 && cause->estimated >= 0.995 * cause->part)
		fputs(", estimated", out);
	else if (cause->estimated >= 0.005)
		fprintf(out, ", %.0f %% estimated", 100 * cause->estimated);
	else if (cause->estimated > 0)
		fputs(", less than 1 % estimated", out);
	putc('.', out);
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
	json_field_real(json, "estimated_share", cause->estimated);
	json_field_string(json, "path", cause->path);
	json_close(json, '}');
}
