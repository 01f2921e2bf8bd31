/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_compare.c - `sis-analyze compare`: compares experiments in one of three ways: what made the
 * difference between two experiments or series of runs (compare_parts.c); the overheads of several
 * experiments side by side; two series region by region (compare_regions.c). Owns the list of
 * experiments; one thread. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/blame_scaling.h"
#include "commands/compare_parts.h"
#include "commands/compare_regions.h"
#include "commands/option_values.h"
#include "commands/run_arguments.h"
#include "commands/table_view.h"

static const struct cli_option options[] = {
	{ "--parts", NULL,
	  "the whole list of what made the difference: useful work and overheads by region" },
	{ "--paths", NULL, "the same by call path" },
	{ "--regions", NULL,
	  "two experiments region by region: exclusive time, and whether the difference is noise" },
	{ "--fail-above", "PERCENT",
	  "the same; exit status 1 when the program or a region is slower by more" },
	{ "--ignore-below", "PERCENT",
	  "differences of less than that part of T_p are none (default: 0.1)" },
	{ "--repeats", NULL, "take all runs of the same build, command and p as repetitions" },
	{ "--total", NULL, "sums over the processing units (p * T_p), not their means (T_p)" },
	{ "--any-application", NULL, "accept experiments of different applications" },
	BLAME_BY_OPTION,
	REFERENCE_OPTIONS,
	SHAPE_OPTIONS,
	{ NULL, NULL, NULL },
};

/* -- overheads side by side -------------------------------------------------------------------- */

/* rows before the rows of the nodes of the tree */
enum { PROCESSING_UNITS = -3, T_P, WITHOUT_PROBES, USEFUL };

/* The name of a row: row_key in JSON and CSV, row_title in text. */
static const char *row_key(int row)
{
	return row == T_P		? "T_P" :
		row == WITHOUT_PROBES	? "T_P_WITHOUT_PROBES" :
		row == USEFUL		? "USEFUL" :
					  sis_overhead_table[row].name;
}

static const char *row_title(int row, bool total)
{
	return row == PROCESSING_UNITS	? "processing units" :
		row == T_P		? (total ? "p * T_p" : "T_p") :
		row == WITHOUT_PROBES	? "  without probes" :
		row == USEFUL		? "useful work" :
					  sis_overhead_table[row].name;
}

static bool is_anywhere(const struct overheads *o, size_t n, int overhead)
{
	for (size_t i = 0; i < n; i++)
		if (o[i].ns[overhead])
			return true;
	return false;
}

/* Adds a cell, which is null if the experiment cannot have a value of the overhead. */
static void add_overhead(struct table *table, const struct overheads *o, int row, bool total)
{
	int64_t ns = row == T_P		? o->t_p :
		row == WITHOUT_PROBES	? o->t_p_without :
		row == USEFUL		? o->useful :
					  o->ns[row];
	bool unknown = row > USEFUL ? !ns && overheads_reason(o, (enum sis_overhead)row) :
				      row == WITHOUT_PROBES && ns == COST_UNKNOWN;
	if (unknown)
		table_null(table);
	else
		table_seconds(table, total ? clamp_round((double)ns * (double)o->p) : ns);
}

static const struct column row_columns[] = {
	{ "experiment", NULL, CELL_TEXT },
	{ "overhead", NULL, CELL_TEXT },
	{ "seconds", NULL, CELL_SECONDS },
};

/* Adds a row for each experiment and overhead. T_p and the useful work have rows, too, because the
 * ratios need them. */
static void add_rows(struct table *table, const struct overheads *o, size_t n, bool total)
{
	for (size_t i = 0; i < n; i++)
		for (int row = T_P; row < SIS_OVERHEADS; row++) {
			if (row > USEFUL && !is_anywhere(o, n, row))
				continue;
			table_text(table, o[i].name);
			table_text(table, row_key(row));
			add_overhead(table, &o[i], row, total);
		}
}

static void add_lines(struct table *table, const struct overheads *o, size_t n, bool total)
{
	for (int row = PROCESSING_UNITS; row < SIS_OVERHEADS; row++) {
		if (row > USEFUL && !is_anywhere(o, n, row))
			continue;
		table_text(table, row_title(row, total));
		for (size_t i = 0; i < n; i++)
			if (row == PROCESSING_UNITS)
				table_real(table, (double)o[i].p);
			else
				add_overhead(table, &o[i], row, total);
	}
}

static int print_overheads(struct context *c, const struct overheads *o, size_t n, bool total,
			   struct err *err)
{
	struct table table;
	if (c->format != FORMAT_TEXT) {
		table_init(&table, row_columns, sizeof row_columns / sizeof *row_columns);
		add_rows(&table, o, n, total);
		int rc = shape_print(c, &table, "compare", err);
		table_release(&table);
		return rc;
	}
	/* The keys let users of --sort and --filter name columns as in --json. */
	struct column *column = mem_alloc(n + 1, sizeof *column);
	column[0] = (struct column){ "overhead", "overhead", CELL_TEXT };
	for (size_t i = 0; i < n; i++)
		column[i + 1] = (struct column){
			"seconds", mem_print("%s %s [s]", o[i].name, total ? "sum" : "mean"),
			CELL_SECONDS,
		};
	table_init(&table, column, n + 1);
	add_lines(&table, o, n, total);
	int rc = shape_print(c, &table, "compare", err);
	table_release(&table);
	for (size_t i = 1; i <= n; i++)
		free((char *)column[i].title);
	free(column);
	return rc;
}

/* -- the experiments --------------------------------------------------------------------------- */

struct experiments {
	struct comparison two; /* with two arguments, their series; else all runs are in `a` */
	struct overheads *o;   /* of all runs; those of `a` come first */
	size_t n;
};

static int load_overheads(struct experiments *e, struct context *c, struct err *err)
{
	int64_t seq, par1;
	size_t n_a = e->two.a.n, all = n_a + e->two.b.n;
	e->o = mem_alloc(all, sizeof *e->o);
	int rc = context_references(c, &seq, &par1, err);
	while (rc == 0 && e->n < all) {
		size_t i = e->n;
		int64_t id = i < n_a ? e->two.a.at[i].id : e->two.b.at[i - n_a].id;
		rc = overheads_load(&e->o[i], c->repo, id, seq, par1, err);
		if (rc == 0) {
			e->n++;
			rc = overheads_load_counted(&e->o[i], c->repo, id, err);
		}
	}
	return rc;
}

/* The mean T_p without probes of a series; NaN if T_p without probes of any run is not known. */
static double mean_without(const struct overheads *o, size_t n, bool total)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += o[i].t_p_without == COST_UNKNOWN ?
			NAN :
			(double)o[i].t_p_without / 1e9 * (total ? (double)o[i].p : 1);
	return n ? sum / (double)n : NAN;
}

static int check_application(const struct experiments *e, struct context *c, struct err *err)
{
	run_list all = { 0 };
	const run_list *list[] = { &e->two.a, &e->two.b };
	if (cli_get(&c->cli, "--any-application"))
		return 0;
	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < list[side]->n; i++)
			*vec_push(&all) = list[side]->at[i];
	int rc = runs_check_application(&all, "compare", err);
	vec_free(&all);
	return rc;
}

/* Fails if a run is in both series. */
static int check_apart(const run_list *a, const run_list *b, struct err *err)
{
	for (size_t i = 0; i < a->n; i++)
		for (size_t k = 0; k < b->n; k++)
			if (a->at[i].id == b->at[k].id)
				return err_fail(err, "compare: experiment '%s' is on both sides; "
						"name two different series (with --repeats, of "
						"different builds, commands or p)", a->at[i].name);
	return 0;
}

/* Fails if the runs are on different numbers of processing units, because their mean would tell
 * nothing. */
static int check_series(const run_list *series, struct err *err)
{
	for (size_t i = 1; i < series->n; i++)
		if (series->at[i].p != series->at[0].p)
			return err_fail(err, "compare: '%s' ran on %lld processing units, '%s' on "
					"%lld; a series has runs on the same number",
					series->at[0].name, (long long)series->at[0].p,
					series->at[i].name, (long long)series->at[i].p);
	return 0;
}

/* Loads the experiments; apart: no experiment may be in both series. */
static int load(struct experiments *e, struct context *c, bool apart, struct err *err)
{
	bool two = c->cli.argument.n == 2, repeats = cli_get(&c->cli, "--repeats");
	bool total = cli_get(&c->cli, "--total");
	int rc = 0;
	e->two.time = total ? TIME_SUM : TIME_MEAN;
	for (size_t i = 0; rc == 0 && i < c->cli.argument.n; i++)
		rc = runs_of_list(two && i == 1 ? &e->two.b : &e->two.a, c, c->cli.argument.at[i],
				  repeats, err);
	rc = rc ? rc : check_application(e, c, err);
	if (rc == 0 && two && (check_series(&e->two.a, err) || check_series(&e->two.b, err)))
		rc = ERR_FAILED;
	rc = rc || !apart ? rc : check_apart(&e->two.a, &e->two.b, err);
	rc = rc ? rc : load_overheads(e, c, err);
	if (rc)
		return rc;
	memset(e->two.known, true, sizeof e->two.known);
	for (size_t i = 0; i < e->n; i++)
		for (int leaf = 1; leaf < SIS_OVERHEADS; leaf++)
			if (!e->o[i].ns[leaf] &&
			    overheads_reason(&e->o[i], (enum sis_overhead)leaf))
				e->two.known[i >= e->two.a.n][leaf] = false;
	e->two.without[0] = mean_without(e->o, e->two.a.n, total);
	e->two.without[1] = mean_without(e->o + e->two.a.n, e->two.b.n, total);
	return 0;
}

/* -- the command ------------------------------------------------------------------------------- */

struct asked { bool parts, paths, regions; struct limits limits; };

static int parse(struct asked *a, const struct cli *cli, struct err *err)
{
	*a = (struct asked){ .limits = { .change = -1, .share = 0.001, .chance = 0.05 } };
	a->paths = cli_get(cli, "--paths");
	a->parts = a->paths || cli_get(cli, "--parts");
	a->regions = cli_get(cli, "--regions") || cli_get(cli, "--fail-above");
	if (!cli->argument.n)
		return err_usage(err, "compare: no experiments; usage: sis-analyze compare EXP...");
	if (a->parts && a->regions)
		return err_usage(err, "compare: --parts and --paths do not go with --regions and "
				 "--fail-above; choose one list");
	if (cli->argument.n != 2 && (a->parts || a->regions))
		return err_usage(err, "compare: --parts, --paths, --regions and --fail-above "
				 "compare two; usage: sis-analyze compare A[,A2...] B[,B2...]");
	if (cli_get(cli, "--ignore-below") && !a->regions)
		return err_usage(err, "compare: --ignore-below is for regions; add --regions or "
				 "--fail-above");
	if (select_percent(cli, "compare", "--fail-above", &a->limits.change, err) ||
	    select_percent(cli, "compare", "--ignore-below", &a->limits.share, err))
		return ERR_USAGE;
	return 0;
}

static int print(struct context *c, struct experiments *e, const struct asked *a, struct err *err)
{
	enum { LINES = 10, FEWER = 5 };
	struct comparison *two = &e->two;
	bool text = c->format == FORMAT_TEXT, both = two->b.n > 0;
	if (both && (text || a->parts) &&
	    difference_parts_find(&two->parts, c->repo, &two->a, &two->b, two->time, a->paths, err))
		return ERR_FAILED;
	if (both && text) {
		if (compare_print_statement(c, two, a->parts ? 0 : a->regions ? FEWER : LINES, err))
			return ERR_FAILED;
		putchar('\n');
	}
	if (a->parts)
		return compare_print_parts(c, two, err);
	if (a->regions)
		return compare_regions(c, &two->a, &two->b, two->time, &a->limits, err);
	return print_overheads(c, e->o, e->n, two->time == TIME_SUM, err);
}

static int run_compare(struct context *c, struct err *err)
{
	struct asked asked;
	struct experiments e = { 0 };
	if (cli_get(&c->cli, "--by"))
		return blame_scaling(c, false, err);
	if (parse(&asked, &c->cli, err))
		return ERR_USAGE;
	int rc = load(&e, c, asked.parts || asked.regions, err);
	rc = rc ? rc : print(c, &e, &asked, err);
	for (size_t i = 0; i < e.n; i++)
		overheads_release(&e.o[i]);
	free(e.o);
	difference_parts_release(&e.two.parts);
	runs_release(&e.two.a);
	runs_release(&e.two.b);
	return rc;
}

const struct command cmd_compare = {
	"compare",
	"EXP... | A[,A2...] B[,B2...] [--parts | --paths | --regions] [--fail-above PERCENT] "
	"[--repeats] [--by variable]",
	"Compare experiments: what made the difference, their overheads, their regions",
	"Of two experiments, or two series of repeated runs A1,A2,... B1,B2,..., the text first\n"
	"says what made the difference: useful work and overheads of regions, the largest\n"
	"difference first. They are disjoint and add up to the difference of T_p. The cause of\n"
	"a wait is that in the first run of the series that waited longer. --parts and --paths\n"
	"give the whole list. Regions are matched by their keys, so their lines may have moved.\n"
	"Times are in seconds: the mean of the processing units, which for the program is T_p,\n"
	"or with --total their sum, which is p * T_p. T_excl is the exclusive time of a region,\n"
	"without the probes' own cost, which is the time of region `probe`. What was not\n"
	"measured has no value: - or null.\n"
	"\"by chance\" is the probability that noise alone makes such a difference, in the\n"
	"program or in any region (Welch's test, corrected for the number of tests). Above 5 %\n"
	"the difference counts as noise and does not fail. The program has half of these 5 %;\n"
	"the regions divide the other half in proportion to how much their time varies, in all\n"
	"runs together. Regions whose difference cannot reach --ignore-below are not tested.\n"
	"Probes never fail: the verdict on the program leaves out what they cost on the critical\n"
	"path, too; a_without_probes and b_without_probes of --json are its T_p. With one run\n"
	"on each side there is no test: then only T_p can fail.\n"
	"--by variable shows how the time of each variable changed (sis-analyze blame).\n"
	"--top, --filter and --sort are for the list that --json gives.\n"
	"Example: sis-analyze compare base new --repeats --fail-above 5%",
	options,
	SIZE_MAX,
	run_compare,
};
