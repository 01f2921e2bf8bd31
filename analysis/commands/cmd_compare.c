/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_compare.c - `sis-analyze compare`: the overheads of several experiments side by side, or two
 * series of runs region by region (regression.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "commands/run_arguments.h"
#include "query/overhead.h"
#include "query/regression.h"

static const struct cli_option options[] = {
	{ "--regions", NULL,
	  "two experiments region by region: exclusive time, and whether the difference is noise" },
	{ "--fail-above", "PERCENT",
	  "the same; exit status 1 when the program or a region is slower by more" },
	{ "--ignore-below", "PERCENT",
	  "differences of less than that part of T_p are none (default: 0.1)" },
	{ "--repeats", NULL, "take all runs of the same build, command and p as repetitions" },
	{ NULL, NULL, NULL },
};

static const struct column columns[] = {
	{ "experiment", NULL, CELL_TEXT },
	{ "overhead", NULL, CELL_TEXT },
	{ "seconds", NULL, CELL_SECONDS },
};

static bool is_anywhere(const struct overheads *o, size_t n, int overhead)
{
	for (size_t i = 0; i < n; i++)
		if (o[i].ns[overhead])
			return true;
	return false;
}

/* One row for each experiment and overhead, also T_p and the useful work, for the ratios. */
static void print_rows(const struct overheads *o, size_t n, enum format format)
{
	struct table table;
	table_init(&table, columns, 3);
	for (size_t i = 0; i < n; i++)
		for (int k = -1; k < SIS_OVERHEADS; k++) {
			if (k > 0 && !is_anywhere(o, n, k))
				continue;
			table_text(&table, o[i].name);
			table_text(&table,
				   k < 0	  ? "T_P" :
					   k == 0 ? "USEFUL" :
						    sis_overhead_table[k].name);
			table_seconds(&table, k < 0 ? o[i].t_p : k == 0 ? o[i].useful : o[i].ns[k]);
		}
	table_print(&table, format, stdout);
	table_release(&table);
}

static void print_side_by_side(const struct overheads *o, size_t n)
{
	struct table table;
	struct column *column = mem_alloc(n + 1, sizeof *column);
	column[0] = (struct column){ "overhead", "overhead [s]", CELL_TEXT };
	for (size_t i = 0; i < n; i++)
		column[i + 1] = (struct column){ o[i].name, o[i].name, CELL_SECONDS };
	table_init(&table, column, n + 1);
	for (int k = -2; k < SIS_OVERHEADS; k++) {
		if (k > 0 && !is_anywhere(o, n, k))
			continue;
		const char *leaf = k > 0 ? sis_overhead_table[k].name : "useful work";
		table_text(&table, k == -2 ? "processing units" : k == -1 ? "T_p" : leaf);
		for (size_t i = 0; i < n; i++) {
			int64_t ns = k < 0 ? o[i].t_p : k == 0 ? o[i].useful : o[i].ns[k];
			if (k == -2)
				table_real(&table, (double)o[i].p);
			else
				table_seconds(&table, ns);
		}
	}
	table_print(&table, FORMAT_TEXT, stdout);
	table_release(&table);
	free(column);
}

/* -- regressions ------------------------------------------------------------------------------- */

static const char *const verdicts[] = { "same", "faster", "slower", "new", "gone" };

static const struct column regression_columns[] = {
	{ "region", "region", CELL_TEXT },
	{ "type", NULL, CELL_TEXT },
	{ NULL, "place", CELL_TEXT },
	{ "file", NULL, CELL_TEXT },
	{ "line_start", NULL, CELL_INTEGER },
	{ "key", NULL, CELL_TEXT },
	{ "a", "first [s]", CELL_REAL },
	{ "b", "second [s]", CELL_REAL },
	{ "difference", "difference", CELL_REAL },
	{ "change", "change", CELL_REAL },
	{ "p_value", "by chance", CELL_REAL },
	{ "runs_a", NULL, CELL_INTEGER },
	{ "runs_b", NULL, CELL_INTEGER },
	{ "verdict", "verdict", CELL_TEXT },
	{ "fails", NULL, CELL_BOOL },
};

static void real_or_null(struct table *table, double value)
{
	if (isfinite(value))
		table_real(table, value);
	else
		table_null(table);
}

static void print_regressions(const differences *found, size_t n_a, size_t n_b, enum format format)
{
	struct table table;
	table_init(&table, regression_columns,
		   sizeof regression_columns / sizeof *regression_columns);
	for (size_t i = 0; i < found->n; i++) {
		const struct difference *d = &found->at[i];
		char *position = d->line ? mem_print("%s:%lld", d->file, (long long)d->line) :
					mem_string("-");
		table_text(&table, d->region), table_text(&table, d->type),
			table_text(&table, position);
		table_text(&table, d->file), table_integer(&table, d->line),
			table_text(&table, d->key);
		table_real(&table, d->a), table_real(&table, d->b), table_real(&table, d->b - d->a);
		real_or_null(&table, d->a > 0 ? (d->b - d->a) / d->a : NAN);
		real_or_null(&table, d->p_value);
		table_integer(&table, n_a), table_integer(&table, n_b);
		table_text(&table, verdicts[d->verdict]);
		table_integer(&table, d->fails);
		free(position);
	}
	table_print(&table, format, stdout);
	table_release(&table);
	if (format == FORMAT_TEXT && n_a + n_b < 3)
		puts("\n"
		     "One run each: how much is noise is not known. Give several (A1,A2,... "
		     "B1,B2,...), or --repeats.");
}

static int fail_on(const differences *found, double limit, struct err *err)
{
	size_t n = 0;
	const struct difference *first = NULL;
	for (size_t i = 0; i < found->n; i++)
		if (found->at[i].fails) {
			n++;
			first = first ? first : &found->at[i];
		}
	if (!n)
		return 0;
	return err_fail(err, "compare: %zu above %g %%: %s is %.1f %% slower (%.6f s, was %.6f s); "
			"see the rows with verdict slower", n, 100 * limit, first->region,
			100 * (first->b - first->a) / first->a, first->b, first->a);
}

/* "5%" or "5": 0.05. */
static int percent(const struct cli *cli, const char *option, double *part, struct err *err)
{
	const char *text = cli_get(cli, option);
	char *end;
	if (!text)
		return 0;
	double value = strtod(text, &end);
	if (end == text || (*end && strcmp(end, "%") != 0) || !(value >= 0 && value < 1e6))
		return err_usage(err, "compare: %s '%s' is no percentage; write for example %s 5%%",
				 option, text, option);
	*part = value / 100;
	return 0;
}

/* A run must not be on both sides. */
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

static int compare_regions(struct context *c, struct err *err)
{
	struct limits limits = { .change = -1, .share = 0.001, .chance = 0.05 };
	run_list a = { 0 }, b = { 0 };
	differences found = { 0 };
	bool repeats = cli_get(&c->cli, "--repeats");
	if (c->cli.argument.n != 2)
		return err_usage(err, "compare: --regions and --fail-above compare two; usage: "
				 "sis-analyze compare A[,A2...] B[,B2...]");
	if (percent(&c->cli, "--fail-above", &limits.change, err) ||
	    percent(&c->cli, "--ignore-below", &limits.share, err))
		return ERR_USAGE;
	int rc = runs_of_list(&a, c, c->cli.argument.at[0], repeats, err);
	rc = rc ? rc : runs_of_list(&b, c, c->cli.argument.at[1], repeats, err);
	rc = rc ? rc : check_apart(&a, &b, err);
	rc = rc ? rc : regression_find(&found, c->repo, &a, &b, &limits, err);
	if (rc == 0) {
		print_regressions(&found, a.n, b.n, c->format);
		rc = fail_on(&found, limits.change, err);
	}
	regression_release(&found);
	runs_release(&a);
	runs_release(&b);
	return rc;
}

/* -- the command ------------------------------------------------------------------------------- */

static int run(struct context *c, struct err *err)
{
	size_t n = 0;
	int rc = 0;
	if (!c->cli.argument.n)
		return err_usage(err, "compare: no experiments; usage: sis-analyze compare EXP...");
	if (cli_get(&c->cli, "--regions") || cli_get(&c->cli, "--fail-above"))
		return compare_regions(c, err);
	if (cli_get(&c->cli, "--repeats") || cli_get(&c->cli, "--ignore-below"))
		return err_usage(err, "compare: --repeats and --ignore-below are for regions; add "
				 "--regions or --fail-above");
	struct overheads *o = mem_alloc(c->cli.argument.n, sizeof *o);
	while (rc == 0 && n < c->cli.argument.n) {
		int64_t id;
		rc = context_nth(c, n, &id, err);
		rc = rc ? rc : overheads_load(&o[n], c->repo, id, 0, 0, err);
		n += rc == 0;
	}
	if (rc == 0 && c->format == FORMAT_TEXT)
		print_side_by_side(o, n);
	else if (rc == 0)
		print_rows(o, n, c->format);
	for (size_t i = 0; i < n; i++)
		overheads_release(&o[i]);
	free(o);
	return rc;
}

const struct command cmd_compare = {
	"compare",
	"EXP... | A[,A2...] B[,B2...] --regions [--fail-above PERCENT] [--repeats]",
	"Compare experiments: their overheads, or region by region",
	"Overheads are in seconds: sums over the processing units, divided by their number p.\n"
	"--regions and --fail-above compare two experiments, or two series of repeated runs\n"
	"A1,A2,... B1,B2,..., by the exclusive time of their regions, divided by p. Regions are\n"
	"matched by their keys, so their lines may have moved. \"by chance\" is the probability\n"
	"that noise alone makes such a difference (Welch's test, for regions corrected for\n"
	"their number). Above 5 % the difference counts as noise and does not fail. With one\n"
	"run on each side there is no such test, and every difference counts.\n"
	"Example: sis-analyze compare base new --repeats --fail-above 5%",
	options,
	SIZE_MAX,
	run,
};
