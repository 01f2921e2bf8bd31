/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_messages.c - `sis-analyze messages`: how much each process sent to each other process, on
 * which communicator, from which region. One thread. Text begins with a square of shades if the
 * terminal is wide enough; then come the largest pairs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/terminal.h"
#include "commands/option_values.h"
#include "commands/table_view.h"
#include "answers/query/interval_messages.h"
#include "answers/query/region_choice.h"

static const struct cli_option options[] = {
	{ "--by-site", NULL, "by call, collective operations too" },
	{ "--communicators", NULL, "by communicator" },
	{ "--comm", "NUMBER",
	  "on this communicator only (0: all processes; --communicators numbers them)" },
	{ "--region", "NAME", "of calls inside this region only: as in `overhead --region`" },
	INTERVAL_OPTIONS,
	SHAPE_OPTIONS,
	{ NULL, NULL, NULL },
};

/* -- statements -------------------------------------------------------------------------------- */

#define SUMS "sum(m.calls), sum(m.bytes), sum(m.ns), "
#define OF_EXPERIMENT \
	"FROM drg_node n JOIN message m ON m.drg_node = n.id " \
	"JOIN communicator c ON c.id = m.communicator " \
	"JOIN processing_unit u ON u.id = m.pu "
#define OF_CALL "JOIN code_region o ON o.id = n.region "
/* How the data was moved. For MPI_Get, the target is the sender. */
#define KIND \
	"CASE o.type WHEN 'CR_MPIPUT' THEN 'put' WHEN 'CR_MPIGET' THEN 'get' " \
	"WHEN 'CR_MPIACC' THEN 'accumulate' " \
	"ELSE CASE c.kind WHEN 'inter' THEN 'inter message' ELSE 'message' END END"
#define FROM "CASE o.type WHEN 'CR_MPIGET' THEN m.target ELSE u.process END"
#define TO "CASE o.type WHEN 'CR_MPIGET' THEN u.process ELSE m.target END"
/* %s: IN_REGION, or nothing */
#define CHOSEN "WHERE n.experiment = ?1 AND (?2 < 0 OR c.number = ?2) %s"
#define IN_REGION "AND n.id IN (SELECT node FROM temp.chosen_node) "

static const struct column pair_columns[] = {
	{ "from", "from", CELL_INTEGER },
	{ "to", "to", CELL_INTEGER },
	{ "calls", "calls", CELL_INTEGER },
	{ "bytes", "bytes", CELL_INTEGER },
	{ "seconds", "sending [s]", CELL_SECONDS },
	{ "receive_seconds", "receiving [s]", CELL_SECONDS },
	{ "estimated", "counts estimated", CELL_BOOL },
	{ "kind", "kind", CELL_TEXT },
};
static const char by_pair[] =
	"SELECT " FROM ", " TO ", " SUMS "sum(m.receive_ns), max(m.estimated), "
	KIND " " OF_EXPERIMENT OF_CALL CHOSEN "AND m.target >= 0 "
	"GROUP BY 1, 2, 8 "
	"ORDER BY sum(m.bytes) DESC, sum(m.calls) DESC, 1, 2, 8";

static const struct column site_columns[] = {
	{ "region", "region", CELL_TEXT },
	{ NULL, "place", CELL_TEXT },
	{ "file", NULL, CELL_TEXT },
	{ "line_start", NULL, CELL_INTEGER },
	{ "communicator", "comm", CELL_INTEGER },
	{ "collective", "collective", CELL_BOOL },
	{ "senders", "senders", CELL_INTEGER },
	{ "receivers", "receivers", CELL_INTEGER },
	{ "calls", "calls", CELL_INTEGER },
	{ "bytes", "bytes", CELL_INTEGER },
	{ "seconds", "sending [s]", CELL_SECONDS },
	{ "receive_seconds", "receiving [s]", CELL_SECONDS },
	{ "estimated", "counts estimated", CELL_BOOL },
	{ "kind", "kind", CELL_TEXT },
};
static const char by_site[] =
	"SELECT r.name, r.place, "
	"r.file, r.line_start, c.number, m.target < 0, count(DISTINCT u.process), "
	"CASE WHEN m.target < 0 THEN NULL ELSE count(DISTINCT m.target) END, "
	SUMS "CASE WHEN m.target < 0 THEN NULL ELSE sum(m.receive_ns) END, max(m.estimated), "
	"CASE WHEN m.target < 0 THEN 'collective' ELSE " KIND " END " OF_EXPERIMENT OF_CALL
	"JOIN drg_node s ON s.id = n.source_node "
	"JOIN region r ON r.id = s.region " CHOSEN
	"GROUP BY r.id, c.id, m.target < 0, 14 "
	"ORDER BY sum(m.bytes) DESC, sum(m.calls) DESC, r.id, c.number";

static const struct column comm_columns[] = {
	{ "communicator", "communicator", CELL_INTEGER },
	{ "name", "name", CELL_TEXT },
	{ "size", "processes", CELL_INTEGER },
	{ "messages", "messages", CELL_INTEGER },
	{ "message_bytes", "message bytes", CELL_INTEGER },
	{ "collectives", "collective calls", CELL_INTEGER },
	{ "collective_bytes", "collective bytes", CELL_INTEGER },
	{ "seconds", "in calls [s]", CELL_SECONDS },
	{ "estimated", "counts estimated", CELL_BOOL },
	{ "kind", "kind", CELL_TEXT },
};
static const char by_comm[] =
	"SELECT c.number, c.name, c.size, sum(iif(m.target < 0, 0, m.calls)), "
	"sum(iif(m.target < 0, 0, m.bytes)), sum(iif(m.target < 0, m.calls, 0)), "
	"sum(iif(m.target < 0, m.bytes, 0)), sum(m.ns), max(m.estimated), "
	"c.kind " OF_EXPERIMENT CHOSEN
	"GROUP BY c.id "
	"ORDER BY c.number";

/* -- the picture ------------------------------------------------------------------------------- */

/* each shade stands for about twice the bytes of the shade before; the last one for the most
 * bytes */
static const char shades[] = ".:-=+*#%@";

/* The width of a line: the width of the terminal, else COLUMNS, else 80. */
static size_t line_width(void)
{
	const char *columns = getenv("COLUMNS");
	long width = (long)terminal_width();
	if (!width && columns)
		width = strtol(columns, NULL, 10);
	return width > 0 && width < 1000 ? (size_t)width : 80;
}

static char shade(int64_t bytes, int64_t most)
{
	size_t at = sizeof shades - 2;
	for (; at > 0 && bytes < most - most / 4; at--)
		most /= 2;
	return shades[at];
}

struct matrix { size_t n; int64_t *bytes, most; }; /* bytes[i] -1: nothing was sent */

static int load_matrix(struct matrix *m, struct repo *repo, int64_t id, const struct table *pairs,
		       struct err *err)
{
	int64_t last = 0;
	if (repo_number(repo, &last, err,
			"SELECT max(process) FROM processing_unit WHERE experiment = ?", "i",
			id) < 0)
		return ERR_FAILED;
	m->n = (size_t)last + 1;
	if (m->n * 2 + 7 > line_width() || table_rows(pairs) == 0)
		return 0;
	m->bytes = mem_alloc(m->n * m->n, sizeof *m->bytes);
	memset(m->bytes, 0xff, m->n * m->n * sizeof *m->bytes);
	for (size_t r = 0; r < table_rows(pairs); r++) {
		const struct cell *row = table_cell(pairs, r, 0);
		size_t from = (size_t)row[0].integer, to = (size_t)row[1].integer;
		if (from >= m->n || to >= m->n)
			continue;
		int64_t *bytes = &m->bytes[from * m->n + to];
		*bytes = clamp_add(*bytes < 0 ? 0 : *bytes, row[3].integer);
		m->most = *bytes > m->most ? *bytes : m->most;
	}
	return 0;
}

/* Rows are senders, columns are receivers. A column has the last digit of its receiver; if there
 * are more than ten receivers, a line above has each tenth number. */
static void print_matrix(const struct matrix *m)
{
	if (m->n > 10) {
		printf("%8s", "");
		for (size_t to = 0; to < m->n; to += 10)
			printf(to + 10 < m->n ? "%-20zu" : "%zu\n", to);
	}
	printf("from\\to ");
	for (size_t to = 0; to < m->n; to++)
		printf("%zu%s", to % 10, to + 1 < m->n ? " " : "\n");
	for (size_t from = 0; from < m->n; from++) {
		printf("%7zu ", from);
		for (size_t to = 0; to < m->n; to++) {
			int64_t bytes = m->bytes[from * m->n + to];
			printf("%c%s", bytes < 0 ? ' ' : shade(bytes, m->most),
			       to + 1 < m->n ? " " : "\n");
		}
	}
	printf("%c: up to %" PRId64 " bytes; %.*s: each about half of the next one's, or less\n"
	       "\n", shades[sizeof shades - 2], m->most, (int)sizeof shades - 2, shades);
}

static int print_text(struct context *c, int64_t id, struct table *pairs, struct err *err)
{
	enum { LINES = 10 };
	struct matrix m = { 0 };
	const char *top = cli_get(&c->cli, "--top");
	if (load_matrix(&m, c->repo, id, pairs, err))
		return ERR_FAILED;
	if (table_rows(pairs) == 0)
		puts("No messages from process to process; --by-site shows collective operations.");
	else if (m.bytes)
		print_matrix(&m);
	else
		printf("%zu processes: more than fit the terminal. The largest pairs:\n", m.n);
	free(m.bytes);
	if (table_rows(pairs) == 0)
		return 0;
	struct table shown = *pairs;
	if (!top && table_rows(pairs) > LINES)
		shown.cell.n = LINES * shown.columns;
	view_print(c, &shown);
	if (table_rows(&shown) < table_rows(pairs))
		printf("(%zu more pairs: --top N, --json, --csv)\n", table_rows(pairs) - LINES);
	return 0;
}

/* -- the command ------------------------------------------------------------------------------- */

struct question {
	const struct column *columns;
	size_t n;
	const char *sql;
	bool pairs;
	int64_t number;          /* of the communicator; -1: all */
	bool has_interval;
	int64_t from_ns, to_ns;  /* as in commands/option_values.h */
};
#define QUESTION(list, sql, pairs) { list, sizeof list / sizeof *list, sql, pairs, 0, 0, 0, 0 }

static void print_notes(const struct interval_messages *m)
{
	if (m->divided_bytes)
		printf("\nThe bytes of a single collective call are not recorded: the calls of the "
		       "interval have their\nshare of the bytes of all calls, which is exact if "
		       "all send as much.\n");
	if (m->grown_calls)
		printf("\nOf %" PRId64 " calls it is estimated to whom they sent and how much, "
		       "because the log of their\nprocess was full (SIS_RECORDS). The trace has "
		       "their times.\n", m->grown_calls);
}

static int answer(struct context *c, const struct question *q, struct err *err)
{
	const char *region = cli_get(&c->cli, "--region");
	struct region_choice choice;
	struct interval_messages interval = { 0 };
	int64_t id;
	struct table table;
	if (context_experiment(c, &id, err) ||
	    (region && region_choice_load(&choice, c->repo, id, region, REGION_INCLUSIVE, err)) ||
	    (q->has_interval && interval_messages_load(c->repo, id, q->from_ns, q->to_ns,
						       "messages", &interval, err)))
		return ERR_FAILED;
	table_init(&table, q->columns, q->n);
	char *sql = mem_print(q->sql, region ? IN_REGION : "");
	int rc = repo_fill(c->repo, &table, err, sql, "ii", id, q->number);
	free(sql);
	rc = rc ? rc : shape_table(&table, &c->cli, "messages", err);
	if (rc == 0 && q->pairs && c->format == FORMAT_TEXT)
		rc = print_text(c, id, &table, err);
	else if (rc == 0)
		view_print(c, &table);
	if (rc == 0 && c->format == FORMAT_TEXT)
		print_notes(&interval);
	table_release(&table);
	return rc;
}

static int run_messages(struct context *c, struct err *err)
{
	static const struct question pairs = QUESTION(pair_columns, by_pair, true),
				     sites = QUESTION(site_columns, by_site, false),
				     comms = QUESTION(comm_columns, by_comm, false);
	bool of_sites = cli_get(&c->cli, "--by-site"),
	     of_comms = cli_get(&c->cli, "--communicators");
	if (of_sites && of_comms)
		return err_usage(err, "messages: --by-site and --communicators answer different "
				 "questions; choose one");
	struct question q = of_sites ? sites : of_comms ? comms : pairs;
	const char *number = cli_get(&c->cli, "--comm");
	if (number && (!number[0] || number[strspn(number, "0123456789")] || strlen(number) > 9))
		return err_usage(err, "messages: --comm '%s' is no number of a communicator; "
				 "`messages --communicators` lists them", number);
	q.number = number ? strtol(number, NULL, 10) : -1;
	if (select_interval(&c->cli, "messages", &q.has_interval, &q.from_ns, &q.to_ns, err))
		return ERR_USAGE;
	return answer(c, &q, err);
}

const struct command cmd_messages = {
	"messages",
	"[EXP] [--by-site | --communicators] [--comm NUMBER] [--region NAME] [--from S] [--to S]",
	"Show how much each process sent to each other one",
	"Prints a matrix of shades, senders down and receivers across, if it fits the terminal;\n"
	"then the largest pairs. Sending is the time in the calls that sent, receiving the time\n"
	"in the calls that received, waits included. The bytes of a collective operation are\n"
	"those that its calls send: for a broadcast, those of the root. Where the log of a\n"
	"process was full (SIS_RECORDS), counts are estimated: the calls whose records were\n"
	"kept stand for all calls. The sender of data that MPI_Get read from a window is the\n"
	"process that owns the window.\n"
	"--from and --to show a part of the run: the calls that began in it with their bytes, and\n"
	"the time within this part that was spent in calls. The bytes of a single collective call\n"
	"are not recorded. So each call has the same share of the bytes of its place, and this is\n"
	"marked as an estimate. So are the calls of a process whose log was full. Parts that\n"
	"follow each other add up.\n"
	"Example: sis-analyze messages --by-site --top 5",
	options,
	1,
	run_messages,
};
