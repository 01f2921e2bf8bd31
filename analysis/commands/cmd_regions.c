/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_regions.c - `sis-analyze regions`: times and metrics over the dynamic region call graph. Text
 * has one line for each region or, with --tree, for each node, with sums over the PUs. --json and
 * --csv have a row for each node and PU. */
#include "commands/command.h"
#include "commands/option_values.h"
#include "commands/table_view.h"
#include "answers/query/region_rows.h"
#include "answers/query/switched_off.h"

static const struct cli_option options[] = {
	{ "--type", "TYPE", "only regions of a type, or of a group of types: CR_MPI" },
	{ "--unit", "FUNCTION", "only regions in a function" },
	{ "--metric", "METRIC,...",
	  "show these metrics and overheads, and only regions where one was measured" },
	{ "--pu", "P.T", "only process P, thread T; P: all threads of it; *.T; P.T,P.T" },
	INTERVAL_OPTIONS,
	{ "--tree", NULL, "draw the call graph" },
	{ "--templates", NULL,
	  "add up the instances of each template of C++, even if they are few" },
	{ "--values", NULL, "show the numbers that the program gave with SIS_VALUE" },
	{ "--lines", NULL, "show the lines of the source that samples hit (SIS_BLAME)" },
	SHAPE_OPTIONS,
	{ NULL, NULL, NULL },
};

/* Fails if options do not go together. An interval only has values that a trace records. */
static int check_options(const struct cli *cli, bool has_interval, struct err *err)
{
	static const char *const of_regions[] = { "--type", "--unit", "--metric", "--tree",
						  "--values", "--from", "--to" };
	for (size_t i = 0; i < sizeof of_regions / sizeof *of_regions; i++)
		if (cli_get(cli, "--lines") && cli_get(cli, of_regions[i]))
			return err_usage(err, "regions: --lines shows samples of lines, which have "
					 "no %s: leave one out", of_regions[i]);
	const char *other = cli_get(cli, "--values") ? "--values" : "--metric";
	if (cli_get(cli, "--tree") && cli_get(cli, "--sort"))
		return err_usage(err, "regions: --tree and --sort at once; a tree has its order: "
				 "leave one out");
	if (cli_get(cli, "--values") && cli_get(cli, "--metric"))
		return err_usage(err, "regions: --values shows the numbers of the program, which "
				 "have no --metric: leave one out");
	if (has_interval && cli_get(cli, other))
		return err_usage(err, "regions: a trace has no times of %s: leave it out, or "
				 "--from and --to", other);
	return 0;
}

/* All regions have times and overheads. So only metrics that are neither can leave out regions
 * where they were not requested. */
static int parse_options(struct region_rows *rows, pu_patterns *pus, const struct context *c,
			 struct err *err)
{
	const struct cli *cli = &c->cli;
	*rows = (struct region_rows){ .is_text = c->format == FORMAT_TEXT,
				      .is_tree = cli_get(cli, "--tree"),
				      .by_template = cli_get(cli, "--templates"),
				      .function = cli_get(cli, "--unit"),
				      .only_measured = cli_get(cli, "--metric") };
	int rc = select_interval(cli, "regions", &rows->has_interval, &rows->from_ns, &rows->to_ns,
				 err);
	rc = rc ? rc : check_options(cli, rows->has_interval, err);
	rc = rc ? rc : select_metrics(cli, "regions", &rows->measures, err);
	rc = rc ? rc : select_pus(cli, "regions", pus, err);
	rc = rc ? rc : select_types(cli, "regions", &rows->types, err);
	for (size_t v = 0; v < rows->measures.variable.n; v++)
		rows->only_measured &= measure_is_requested(&rows->measures, v);
	return rc;
}

static const struct column value_columns[] = {
	{ "region", "region", CELL_TEXT }, { "place", "place", CELL_TEXT },
	{ "name", "value", CELL_TEXT },	   { "count", "count", CELL_INTEGER },
	{ "mean", "mean", CELL_REAL },	   { "min", "min", CELL_REAL },
	{ "max", "max", CELL_REAL },	   { "sum", "sum", CELL_REAL },
};

static const char values[] =
	"SELECT s.region, s.place, "
	"v.name, sum(v.count), sum(v.sum) / sum(v.count), min(v.min), max(v.max), sum(v.sum) "
	"FROM summary s "
	"JOIN user_value v ON v.region_summary = s.id "
	"WHERE s.experiment = ?1 AND (?2 IS NULL OR instr(?2, ',' || s.type || ',')) "
	"AND (?3 IS NULL OR s.unit = ?3) AND s.pu IN (SELECT pu FROM temp.chosen_pu) "
	"GROUP BY s.region_id, v.name "
	"ORDER BY v.name, s.region_id";

/* Of n samples, a part p is at a line: n p has a binomial distribution. */
static const struct column line_columns[] = {
	{ NULL, "line", CELL_TEXT },
	{ "file", NULL, CELL_TEXT }, { "line", NULL, CELL_INTEGER },
	{ "samples", "samples", CELL_INTEGER }, { "share", "share", CELL_SHARE },
	{ "error", "error", CELL_SHARE }, { "threads", "threads", CELL_INTEGER },
};

static const char lines[] =
	"WITH n(n) AS (SELECT sum(samples) FROM line_samples "
	"WHERE experiment = ?1 AND pu IN (SELECT pu FROM temp.chosen_pu)) "
	"SELECT iif(line, file || ':' || line, 'no line'), iif(line, file, NULL), "
	"nullif(line, 0), sum(samples), 1.0 * sum(samples) / n, "
	"1.96 * sqrt(1.0 * sum(samples) * (n - sum(samples)) / n) / n, count(DISTINCT pu) "
	"FROM line_samples JOIN n "
	"WHERE experiment = ?1 AND pu IN (SELECT pu FROM temp.chosen_pu) "
	"GROUP BY file, line ORDER BY sum(samples) DESC, file, line";

/* -- the command ------------------------------------------------------------------------------- */

/* Prints a table, or explains why it is empty. */
static int print_table(struct context *c, struct table *table, const char *nothing,
		       struct err *err)
{
	if (c->format != FORMAT_TEXT || table_rows(table))
		return shape_print(c, table, "regions", err);
	puts(nothing);
	return 0;
}

static int print_values(struct context *c, const struct region_rows *rows, int64_t id,
			struct err *err)
{
	struct table table;
	table_init(&table, value_columns, sizeof value_columns / sizeof *value_columns);
	int rc = repo_fill(c->repo, &table, err, values, "itt", id, rows->types, rows->function);
	rc = rc ? rc : print_table(c, &table, "No numbers: the program gave none with SIS_VALUE in "
				   "these regions.", err);
	table_release(&table);
	return rc;
}

static int print_lines(struct context *c, int64_t id, struct err *err)
{
	struct table table;
	table_init(&table, line_columns, sizeof line_columns / sizeof *line_columns);
	int rc = repo_fill(c->repo, &table, err, lines, "i", id);
	rc = rc ? rc : print_table(c, &table, "No samples: run the program with SIS_BLAME=1.", err);
	table_release(&table);
	return rc;
}

/* Text shows the metrics that were recorded in the run, even if the user names none. */
static int print_rows(struct context *c, struct region_rows *rows, int64_t id, struct err *err)
{
	int rc = 0;
	if (rows->is_text && !rows->has_interval && !cli_get(&c->cli, "--metric"))
		rc = measures_add_recorded(&rows->measures, c->repo, id, err);
	rc = rc ? rc : region_rows_load(rows, c->repo, id, region_columns, region_column_count,
					err);
	rc = rc ? rc : print_table(c, &rows->table, rows->has_interval ?
				   "Nothing passes the options in this interval." :
				   "No region passes --type, --unit, --metric and --pu; "
				   "`sis-analyze regions` without them shows what was measured.",
				   err);
	if (rc == 0 && rows->is_text && rows->gaps.ns)
		printf("\nNot known: %.6f s of %zu processing units, for which the trace has no "
		       "events there.\n", (double)rows->gaps.ns / 1e9, rows->gaps.units);
	return rc;
}

static int run_regions(struct context *c, struct err *err)
{
	/* warnings about times and counts that are estimates or missing, and about regions that
	 * were turned off */
	static const enum warning_kind kinds[] = { WARNING_SAMPLED, WARNING_COUNTS, WARNING_LOST,
						   WARNING_FILTER };
	int64_t id, units;
	pu_patterns pus = { 0 };
	struct region_rows rows;
	int rc = parse_options(&rows, &pus, c, err);
	rc = rc ? rc : context_experiment(c, &id, err);
	rc = rc ? rc : pu_choice_load(c->repo, id, &pus, &units, err);
	if (cli_get(&c->cli, "--lines"))
		rc = rc ? rc : print_lines(c, id, err);
	else if (cli_get(&c->cli, "--values"))
		rc = rc ? rc : print_values(c, &rows, id, err);
	else
		rc = rc ? rc : print_rows(c, &rows, id, err);
	for (size_t i = 0; rc == 0 && !rows.has_interval && i < sizeof kinds / sizeof *kinds; i++)
		rc = view_print_warnings(c, id, kinds[i], err);
	struct table off = { 0 }; /* what was off for a part of the run */
	if (rc == 0 && c->format == FORMAT_TEXT)
		rc = switched_off_load(&off, c->repo, id, err);
	if (rc == 0 && table_rows(&off)) {
		puts("\noff for a part of the run");
		switched_off_print(&off, SIZE_MAX, stdout);
	}
	table_release(&off);
	region_rows_release(&rows);
	vec_free(&pus);
	return rc;
}

const struct command cmd_regions = {
	"regions",
	"[EXP] [--type T] [--unit U] [--metric M] [--pu P.T] [--from S] [--to S] [--tree] "
	"[--values] [--lines]",
	"Show times and metrics of code regions",
	"Inclusive time includes what a region calls, exclusive time does not. Without probes\n"
	"both are less by what the probes cost there; text shows it if that is a thousandth.\n"
	"Values are sums over processes and threads; --json and --csv give every node of the\n"
	"call graph for every process and thread. Metrics that the run recorded beyond the\n"
	"default ones are columns. --metric chooses others, in upper or lower case, and also\n"
	"overheads; they include what a region calls. A value that is not known is -. Overheads\n"
	"of a region also include the time of threads that were not in it themselves, as those\n"
	"that were idle while the initial thread was, so they may exceed its inclusive time.\n"
	"These threads have rows with 0 calls in --json and --csv.\n"
	"What rules, sis-analyze control or pauses had off for a part of the run is named\n"
	"below the table, and in switched_off of --json and --csv.\n"
	"Text without metrics shows calls in a file of MPI wrappers by their caller outside.\n"
	"--from and --to read the trace: calls that began in that part of the run, and the\n"
	"times within it.\n"
	"Regions of the type CR_SAMPLED are functions that only samples show (SIS_BLAME). Their\n"
	"times have errors, which true times exceed in 5 % of all cases. --lines shows samples\n"
	"by line, if there is debug information.\n"
	"Example: sis-analyze regions --type CR_MPI --sort calls --top 10",
	options,
	1,
	run_regions,
};
