/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_show.c - `sis-analyze show`: all that is known about one experiment, except times. */
#include <string.h>

#include "base/escape.h"
#include "base/json.h"
#include "base/signal_name.h"
#include "commands/command.h"
#include "answers/query/measured_less.h"
#include "answers/query/switched_off.h"
#include "experiment/read/trace_files.h"

static const struct column head_columns[] = {
	{ "id", "id", CELL_INTEGER },
	{ "name", "name", CELL_TEXT },
	{ "program", "program", CELL_TEXT },
	{ "role", "role", CELL_TEXT },
	{ "p", "processing units", CELL_INTEGER },
	{ "t_p", "T_p", CELL_SECONDS },
	{ "started", "started", CELL_TEXT },
	{ "complete", "complete", CELL_BOOL },
	{ "command", "command", CELL_TEXT },
	{ "dir", "directory", CELL_TEXT },
	{ "network", "network", CELL_TEXT },
	{ "compiler", "compiler", CELL_TEXT },
	{ "flags", "flags", CELL_TEXT },
	{ "sisc", "sisc", CELL_TEXT },
	{ "runtime", "runtime", CELL_TEXT },
	{ "clock", "clock of the probes", CELL_TEXT },
	{ "version", "version", CELL_TEXT },
	{ "identity_error", "bookkeeping error", CELL_SECONDS },
	{ "cause_error", "error of causes", CELL_SECONDS },
	{ "not_recorded", "waits without a cause", CELL_SECONDS },
};
enum { HEAD = sizeof head_columns / sizeof *head_columns, DIRECTORY = 9 };

static const char head[] =
	"SELECT e.id, e.name, e.program, e.role, e.p, e.t_p_ns, "
	"strftime('%Y-%m-%dT%H:%M:%SZ', e.started_ns / 1000000000, 'unixepoch'), e.complete, "
	"e.command, e.directory, w.name, v.compiler, v.flags, v.sisc, e.runtime, e.clock, "
	"v.checksum, "
	"e.identity_error_ns, e.cause_error_ns, e.not_recorded_ns / e.p "
	"FROM experiment e "
	"JOIN version v ON v.id = e.version "
	"JOIN virtual_machine m ON m.id = e.virtual_machine "
	"JOIN network w ON w.id = m.network "
	"WHERE e.id = ?";

static const struct column node_columns[] = {
	{ "node", "node", CELL_TEXT },
	{ "cores", "cores", CELL_INTEGER },
	{ "memory_bytes", "memory [bytes]", CELL_INTEGER },
	{ "processes", "processes", CELL_INTEGER },
	{ "threads", "threads", CELL_INTEGER },
	{ "facts", NULL, CELL_RAW },
};
static const char nodes[] =
	"SELECT m.host, m.cores, m.memory_bytes, count(DISTINCT u.process), count(*), "
	"(SELECT json_group_object(f.key, f.value) FROM machine_fact f "
	"WHERE f.physical_machine = m.id) "
	"FROM processing_unit u "
	"JOIN node n ON n.id = u.node "
	"JOIN physical_machine m ON m.id = n.physical_machine "
	"WHERE u.experiment = ? "
	"GROUP BY n.id";

static const struct column process_columns[] = {
	{ "process", "process", CELL_INTEGER }, { "pid", "pid", CELL_INTEGER },
	{ "state", "state", CELL_TEXT },	{ "status", "status", CELL_INTEGER },
	{ "signal", "signal", CELL_TEXT },	{ "threads", "threads", CELL_INTEGER },
	{ "open", "open regions", CELL_TEXT },
};
enum { STATE = 2, STATUS = 3, SIGNAL = 4 };
/* For each process, the innermost regions that were open at the end. */
static const char processes[] =
	"WITH open AS MATERIALIZED (SELECT u.process, u.thread, n.id AS node, n.path, s.pu "
	"FROM drg_node n JOIN region_summary s ON s.drg_node = n.id "
	"JOIN processing_unit u ON u.id = s.pu WHERE n.experiment = ?1 AND s.is_open), "
	"innermost AS (SELECT process, "
	"group_concat(path || ' (thread ' || thread || ')', ', ') AS text FROM open o "
	"WHERE NOT EXISTS "
	"(SELECT 1 FROM drg_node n JOIN region_summary r ON r.drg_node = n.id AND r.pu = o.pu "
	"WHERE n.parent = o.node AND r.is_open) GROUP BY process) "
	"SELECT u.process, u.pid, u.state, u.status, NULL, count(DISTINCT u.thread), i.text "
	"FROM processing_unit u LEFT JOIN innermost i ON i.process = u.process "
	"WHERE u.experiment = ?1 GROUP BY u.process";

static const struct column fact_columns[] = { { "key", "fact", CELL_TEXT },
					      { "value", "value", CELL_TEXT } };
static const char facts[] = "SELECT key, value FROM experiment_fact WHERE experiment = ?";
static const char machine_facts[] =
	"SELECT DISTINCT f.key, f.value "
	"FROM machine_fact f "
	"JOIN node n ON n.physical_machine = f.physical_machine "
	"JOIN experiment e ON e.virtual_machine = n.virtual_machine "
	"WHERE e.id = ?";

static const struct column warning_columns[] = { { "text", "warnings", CELL_TEXT } };
static const char warnings[] =
	"SELECT text FROM warning WHERE experiment = ? AND kind <> 'lack' ORDER BY rowid";
static const struct column lack_columns[] = { { "text", "lack of processors", CELL_TEXT } };
static const char lack[] =
	"SELECT text FROM warning WHERE experiment = ? AND kind = 'lack' ORDER BY rowid";

static const struct column trace_columns[] = {
	{ "pid", "trace of pid", CELL_INTEGER }, { "blocks", "blocks", CELL_INTEGER },
	{ "events", "events", CELL_INTEGER },	 { "dropped", "dropped", CELL_INTEGER },
	{ "lost", "not written", CELL_INTEGER }, { "damaged", "damaged", CELL_INTEGER },
	{ "ended", "ended", CELL_BOOL },	 { "writer", "writer", CELL_TEXT },
	{ "reason", "because", CELL_TEXT },
};

/* The kind of a trace's writer, and the reason for it; by enum sis_trace_writer. */
static const struct writer { const char *name, *reason; } writers[] = {
	[SIS_WRITER_ASYNC] = { "async", "SIS_WRITER=async" },
	[SIS_WRITER_ASYNC_AUTO] = { "async", "several processors" },
	[SIS_WRITER_SYNC] = { "sync", "SIS_WRITER=sync" },
	[SIS_WRITER_SYNC_AUTO] = { "sync", "one processor" },
	[SIS_WRITER_SYNC_NO_THREAD] = { "sync", "no thread could be created" },
	[SIS_WRITER_AT_END] = { "at the end", "SIS_TRACE_POLICY=overwrite" },
};

struct part { const char *key; const struct column *column; size_t columns; const char *sql; };
static const struct part parts[] = {
	{ "nodes", node_columns, 6, nodes },
	{ "processes", process_columns, 7, processes },
	{ "machine", fact_columns, 2, machine_facts },
	{ "facts", fact_columns, 2, facts },
	{ "trace", trace_columns, 9, NULL }, /* not from the repository, but from the traces */
	{ "lack", lack_columns, 1, lack },
	{ "warnings", warning_columns, 1, warnings },
};
enum { PROCESSES = 1, PARTS = sizeof parts / sizeof *parts, LESS = PARTS + 1, OFF, TABLES };

static void print_head(const struct table *table)
{
	for (size_t i = 0; i < HEAD; i++) {
		const struct cell *cell = table_cell(table, 0, i);
		printf("%-23s", head_columns[i].title);
		if (cell->kind == CELL_TEXT)
			escape_line(stdout, "%s", cell->text);
		else if (cell->kind == CELL_SECONDS)
			printf("%.6f s\n", (double)cell->integer / 1e9);
		else if (cell->kind == CELL_BOOL)
			puts(cell->integer ? "yes" : "no");
		else if (cell->kind == CELL_INTEGER)
			printf("%lld\n", (long long)cell->integer);
		else
			puts("-");
	}
}

/* Writes a part of the JSON. Warnings are plain strings, all other rows are objects. */
static void part_member(struct json *json, const struct part *part, const struct table *table)
{
	json_key(json, part->key);
	if (part->columns > 1) {
		table_json(table, json);
		return;
	}
	json_open(json, '[');
	for (size_t i = 0; i < table_rows(table); i++)
		json_string(json, table_cell(table, i, 0)->text);
	json_close(json, ']');
}

/* Loads the traces. Events that were not kept are `dropped` by the threads, or `lost` by the writer
 * of the trace. */
static void load_traces(const char *directory, struct table *table)
{
	static const struct writer unknown = { "", "" }; /* for a damaged file */
	struct traces traces;
	traces_open(&traces, directory ? directory : "");
	for (size_t i = 0; i < traces.unreadable.n; i++)
		escape_line(stderr, "sis-analyze: warning: %s", traces.unreadable.at[i]);
	for (size_t i = 0; i < traces.trace.n; i++) {
		const struct trace *t = &traces.trace.at[i];
		table_integer(table, t->head.pid);
		table_integer(table, (int64_t)t->block.n);
		table_integer(table, (int64_t)t->events);
		table_integer(table, (int64_t)t->dropped);
		table_integer(table, (int64_t)t->end.lost_events);
		table_integer(table, (int64_t)t->damaged);
		table_integer(table, t->ended);
		bool known = t->head.writer < sizeof writers / sizeof *writers &&
			writers[t->head.writer].name;
		const struct writer *writer = known ? &writers[t->head.writer] : &unknown;
		table_text(table, writer->name);
		table_text(table, writer->reason);
	}
	traces_release(&traces);
}

static int load(struct context *c, int64_t id, struct table *table, struct err *err)
{
	table_init(&table[0], head_columns, HEAD);
	for (size_t i = 0; i < PARTS; i++)
		table_init(&table[i + 1], parts[i].column, parts[i].columns);
	int rc = repo_fill(c->repo, &table[0], err, head, "i", id);
	for (size_t i = 0; rc == 0 && i < PARTS; i++)
		if (parts[i].sql)
			rc = repo_fill(c->repo, &table[i + 1], err, parts[i].sql, "i", id);
		else
			load_traces(table_cell(&table[0], 0, DIRECTORY)->text, &table[i + 1]);
	/* The repository has only the numbers of signals, so names are added here. */
	char name[SIGNAL_NAME];
	struct table *of = &table[PROCESSES + 1];
	for (size_t i = 0; i < table_rows(of); i++)
		if (strcmp(table_cell(of, i, STATE)->text, "signal") == 0)
			*table_cell(of, i, SIGNAL) = (struct cell){
				.kind = CELL_TEXT,
				.text = mem_string(signal_name(
					(int)table_cell(of, i, STATUS)->integer, name))
			};
	table[LESS] = table[OFF] = (struct table){ 0 };
	rc = rc ? rc : measured_less_load(&table[LESS], c->repo, id, err);
	rc = rc ? rc : switched_off_load(&table[OFF], c->repo, id, err);
	return rc;
}

static void print(const struct context *c, const struct table *table)
{
	struct json json;
	json_init(&json, stdout);
	if (c->format == FORMAT_CSV) {
		table_print(&table[0], FORMAT_CSV, stdout);
	} else if (c->format == FORMAT_JSON) {
		json_open(&json, '[');
		json_open(&json, '{');
		for (size_t i = 0; i < HEAD; i++) {
			json_key(&json, head_columns[i].key);
			cell_json(&json, table_cell(&table[0], 0, i));
		}
		for (size_t i = 0; i < PARTS; i++)
			part_member(&json, &parts[i], &table[i + 1]);
		json_key(&json, "turned_down"), measured_less_json(&table[LESS], &json);
		json_key(&json, "switched_off"), switched_off_json(&table[OFF], &json);
		json_close(&json, '}');
		json_close(&json, ']');
	} else {
		print_head(&table[0]);
		for (size_t i = 0; i < PARTS; i++)
			if (table_rows(&table[i + 1])) {
				putchar('\n');
				table_print(&table[i + 1], FORMAT_TEXT, stdout);
			}
		if (table_rows(&table[LESS])) {
			puts("\nmeasured less, to keep the overhead low (SIS_OVERHEAD)");
			measured_less_print(&table[LESS], SIZE_MAX, stdout);
		}
		if (table_rows(&table[OFF])) {
			puts("\noff for a part of the run");
			switched_off_print(&table[OFF], SIZE_MAX, stdout);
		}
	}
}

static int run_show(struct context *c, struct err *err)
{
	int64_t id;
	struct table table[TABLES];
	if (context_experiment(c, &id, err))
		return ERR_FAILED;
	int rc = load(c, id, table, err);
	if (rc == 0)
		print(c, table);
	for (size_t i = 0; i < TABLES; i++)
		table_release(&table[i]);
	return rc;
}

const struct command cmd_show = {
	"show", "[EXP]", "Show one experiment: program, machine, processes, warnings",
	"Also what was measured less, or was off for a part of the run, and why.\n"
	"Example: sis-analyze show stommel-1", NULL, 1, run_show,
};
