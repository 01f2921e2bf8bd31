/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_speedup.c - `sis-analyze speedup`: how well the program and its regions use more processing
 * units. In each set, the base is the sequential run or, if there is none, the run on the fewest
 * PUs. Repetitions of that run belong to the base (scaling_base.h). */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/sort.h"
#include "commands/blame_scaling.h"
#include "commands/option_values.h"
#include "commands/run_arguments.h"
#include "commands/scaling_lines.h"
#include "commands/scaling_table.h"
#include "commands/table_view.h"
#include "answers/query/runs.h"

static const struct cli_option options[] = {
	{ "--region", "NAME",
	  "a region, NAME@LINE, FILE:LINE, or a call path 'main > solve' or its end, in place of "
	  "the program; may be given several times" },
	{ "--regions", NULL, "the program and all regions of the base's source" },
	{ "--metric", "METRIC,...", "of these metrics or overheads, in place of the wall time" },
	{ "--overhead", "NAME", "the same for an overhead" },
	{ "--efficiencies", NULL,
	  "POP's efficiencies of the program in each run, against the base, in place of its "
	  "speedup" },
	{ "--weak", NULL, "with --efficiencies: the problem grows with the processing units" },
	{ "--group", "KEY,...",
	  "sets of experiments with the same values of these keys: of --set, or " RUN_KEYS },
	BASE_OPTION,
	{ "--seq", "EXP",
	  "the sequential run (default: of --role seq, the same application and problem)" },
	BLAME_BY_OPTION,
	SHAPE_OPTIONS,
	{ NULL, NULL, NULL },
};

static const struct column columns[] = {
	{ "set", "set", CELL_TEXT },
	{ "region", "region", CELL_TEXT },
	{ "experiment", "experiment", CELL_TEXT },
	{ "p", "p", CELL_INTEGER },
	{ "seconds", "", CELL_SECONDS },
	{ "speedup", "speedup", CELL_FACTOR },
	{ "improvement", "improvement", CELL_SHARE },
	{ "efficiency", "efficiency", CELL_SHARE },
	{ "scalability", "scalability", CELL_SHARE },
	{ "key", NULL, CELL_TEXT },
	{ "metric", NULL, CELL_TEXT },
	{ "value", NULL, CELL_REAL },
	{ "seconds_without_probes", "", CELL_SECONDS },
	{ "speedup_without_probes", "", CELL_FACTOR },
	{ "efficiency_without_probes", "", CELL_SHARE },
};
enum { SET, SECONDS = 4, METRIC = 10, VALUE, WITHOUT, COLUMNS = WITHOUT + 3 };

/* -- sets -------------------------------------------------------------------------------------- */

static int by_set_and_units(const void *va, const void *vb)
{
	const struct run *a = va, *b = vb;
	return strverscmp(a->set, b->set) ?: b->sequential - a->sequential ?: ORDER(a->p, b->p) ?:
		ORDER(a->id, b->id);
}

static size_t set_length(const run_list *runs, size_t first)
{
	size_t n = 0;
	while (first + n < runs->n && strcmp(runs->at[first + n].set, runs->at[first].set) == 0)
		n++;
	return n;
}

/* Whether runs of different problems may be in one set. With --efficiencies they may, because its
 * factors show how much each run computed. */
static bool any_problem(const struct cli *cli)
{
	return cli_get(cli, "--efficiencies");
}

/* Finds the sequential run of a set: the run of --seq or, without this option, the newest
 * sequential run of the application with the same problem. *id becomes 0 if there is no such
 * run. */
static int find_sequential(struct context *c, const struct run *run, int64_t *id, struct err *err)
{
	*id = 0;
	if (cli_get(&c->cli, "--seq"))
		return context_named(c, cli_get(&c->cli, "--seq"), id, err);
	return repo_number(c->repo, id, err,
			   "SELECT q.id "
			   "FROM experiment q "
			   "JOIN version w ON w.id = q.version, experiment e "
			   "JOIN version v ON v.id = e.version "
			   "WHERE e.id = ?1 AND w.application = v.application AND q.role = 'seq' "
			   "AND (?2 OR " RUN_PROBLEM("q") " = " RUN_PROBLEM("e") ") "
			   "ORDER BY " RUN_PROBLEM("q") " = " RUN_PROBLEM("e") " DESC, "
			   "q.started_ns DESC, q.id DESC LIMIT 1",
			   "ii", run->id, (int64_t)any_problem(&c->cli)) < 0 ?
		ERR_FAILED :
		0;
}

/* Adds a sequential run with its repetitions to a set. */
static int add_repetitions(run_list *runs, struct context *c, int64_t id, const char *set,
			   struct err *err)
{
	run_list found = { 0 };
	int rc = runs_add(&found, c->repo, id, NULL, err);
	if (rc == 0 && !cli_get(&c->cli, "--seq"))
		rc = runs_add_repetitions(&found, c->repo, id, err);
	for (size_t i = 0; rc == 0 && i < found.n; i++) {
		free(found.at[i].set);
		found.at[i].set = mem_string(set);
		found.at[i].sequential = true;
		*vec_push(runs) = found.at[i];
	}
	if (rc == 0)
		vec_free(&found);
	runs_release(&found);
	return rc;
}

/* Makes the run of --seq the only sequential run of the set. Returns false if the set does not have
 * this run. */
static bool mark_sequential(struct run *run, size_t n, int64_t id)
{
	bool any = false;
	for (size_t i = 0; i < n; i++)
		any |= run[i].sequential = run[i].id == id;
	return any;
}

/* Adds the sequential run of the application to each set that has none. */
static int add_sequential(run_list *runs, struct context *c, struct err *err)
{
	size_t there = runs->n;
	for (size_t first = 0, n; first < there; first += n) {
		int64_t id;
		bool named = cli_get(&c->cli, "--seq");
		n = 0;
		while (first + n < there &&
		       strcmp(runs->at[first + n].set, runs->at[first].set) == 0)
			n++;
		if (runs->at[first].sequential && !named)
			continue;
		if (find_sequential(c, &runs->at[first], &id, err))
			return ERR_FAILED;
		if (!id || (named && mark_sequential(&runs->at[first], n, id)))
			continue;
		if (add_repetitions(runs, c, id, runs->at[first].set, err))
			return ERR_FAILED;
	}
	return 0;
}

/* -- the command ------------------------------------------------------------------------------- */

/* Fails if there are no lines, because no run has the metric, or if no run has a region that the
 * user named. */
static int check_found(bool any, const char *metric, struct context *c, const bool *found,
		       struct err *err)
{
	const char *name;
	bool is_everywhere = strcmp(metric, "WTIME") == 0 ||
		sis_overhead_by_name(metric, strlen(metric)) != O_NONE;
	if (!any && !is_everywhere)
		return err_fail(err, "speedup: %s was not measured there in these experiments; "
				"build with --sis-pmetric=%s, or run with SIS_PMETRIC=%s", metric,
				metric, metric);
	for (size_t k = 0; (name = cli_nth(&c->cli, "--region", k)); k++)
		if (!found[k])
			return err_fail(err, "speedup: no region '%s' in these experiments; "
					"`sis-analyze regions` lists them", name);
	return 0;
}

static int add_sets(struct table *table, const run_list *runs, struct context *c,
		    enum base_kind kind, const char *metric, struct err *err)
{
	int rc = 0;
	size_t before = table_rows(table);
	bool *found = mem_alloc(c->cli.given.n + 1, sizeof *found);
	for (size_t first = 0; rc == 0 && first < runs->n;) {
		struct scaling_set set = { .run = &runs->at[first],
					   .metric = metric,
					   .is_time = scaling_metric_is_time(metric),
					   .n = set_length(runs, first),
					   .kind = kind };
		rc = scaling_lines_add(table, &set, c, found, err);
		first += set.n;
	}
	rc = rc ? rc : check_found(table_rows(table) > before, metric, c, found, err);
	free(found);
	return rc;
}

/* Prints a table for each set in text, and rows of all sets for --json and --csv. */
static int print_efficiencies(struct context *c, const run_list *runs, enum base_kind kind,
			      struct err *err)
{
	int rc = 0;
	struct table rows;
	table_init(&rows, scaling_columns, SCALING_COLUMNS);
	for (size_t first = 0, n; rc == 0 && first < runs->n; first += n) {
		n = set_length(runs, first);
		if (first && c->format == FORMAT_TEXT)
			putchar('\n');
		rc = scaling_table(c, &runs->at[first], n, kind,
				   cli_get(&c->cli, "--weak") != NULL, &rows, err);
	}
	if (rc == 0 && c->format != FORMAT_TEXT)
		rc = shape_print(c, &rows, "speedup", err);
	table_release(&rows);
	return rc;
}

/* Fails if options do not go together. */
static int check_options(const struct cli *cli, struct err *err)
{
	static const char *const of_regions[] = { "--region", "--regions", "--metric",
						  "--overhead" };
	bool efficiencies = cli_get(cli, "--efficiencies");
	if (cli_get(cli, "--region") && cli_get(cli, "--regions"))
		return err_usage(err, "speedup: --region and --regions at once; choose one");
	if (!efficiencies && cli_get(cli, "--weak"))
		return err_usage(err, "speedup: --weak is for --efficiencies: give both");
	for (size_t i = 0; efficiencies && i < sizeof of_regions / sizeof *of_regions; i++)
		if (cli_get(cli, of_regions[i]))
			return err_usage(err, "speedup: --efficiencies are the program's: leave "
					 "out --region, --regions, --metric and --overhead");
	return 0;
}

/* Chooses the metrics to compare: those that the user names, else the wall time. */
static int choose_metrics(const struct cli *cli, struct measures *m, struct err *err)
{
	const char *name;
	int rc = select_metrics(cli, "speedup", m, err);
	for (size_t k = 0; rc == 0 && (name = cli_nth(cli, "--overhead", k)); k++) {
		enum sis_overhead overhead;
		rc = select_overhead(name, "speedup", &overhead, err);
		if (rc == 0)
			measure_variable(m, sis_overhead_table[overhead].name, err);
	}
	if (rc == 0 && !m->variable.n)
		measure_variable(m, "WTIME", err);
	return rc;
}

/* Loads the runs, in sets; the base of each set comes first. */
static int load_runs(run_list *runs, struct context *c, struct err *err)
{
	struct buf all_keys = { 0 };
	const char *list;
	for (size_t k = 0; (list = cli_nth(&c->cli, "--group", k)); k++)
		buf_print(&all_keys, "%s%s", k ? "," : "", list);
	char *keys = all_keys.length ? buf_take(&all_keys) : NULL;
	int rc = runs_of_arguments(runs, c, keys, err);
	if (rc == 0 && !keys && !any_problem(&c->cli))
		runs_separate(runs);
	free(keys);
	rc = rc ? rc : runs_spread(runs, c->repo, err);
	if (rc == 0)
		vec_sort(runs, by_set_and_units);
	rc = rc ? rc : add_sequential(runs, c, err);
	if (rc == 0)
		vec_sort(runs, by_set_and_units);
	return rc;
}

/* Prints the base with which the runs of each set are compared. */
static void print_bases(const run_list *runs, enum base_kind kind)
{
	for (size_t first = 0, n; first < runs->n; first += n) {
		const struct run *base = &runs->at[first];
		n = set_length(runs, first);
		char *name = base_name(base, n, kind);
		escape_line(stdout, "%s%sagainst %s, on %lld processing unit%s%s", base->set,
			    *base->set ? ": " : "", name, (long long)base->p,
			    base->p == 1 ? "" : "s", base->sequential ? ", sequential" : "");
		free(name);
	}
}

static bool has_sets(const run_list *runs)
{
	return runs->n && set_length(runs, 0) < runs->n;
}

/* Chooses the columns. Sets are shown if there are several, or with --group. If other metrics than
 * the wall time are shown, there are columns for their name and value instead of a column of
 * seconds. */
static void show_columns(struct column *shown, const struct cli *cli, bool sets)
{
	bool metrics = cli_get(cli, "--metric") || cli_get(cli, "--overhead");
	memcpy(shown, columns, sizeof columns);
	if (!cli_get(cli, "--group") && !sets)
		shown[SET].title = NULL;
	shown[SECONDS].title = metrics		      ? NULL :
		cli_get(cli, "--region")  ? "T, longest PU [s]" :
		cli_get(cli, "--regions") ? "T_p, or T of longest PU [s]" :
					    "T_p [s]";
	shown[METRIC].title = metrics ? "metric" : NULL;
	shown[VALUE].title = metrics ? "value" : NULL;
	shown[WITHOUT].title = metrics ? NULL : "without probes: T [s]";
	shown[WITHOUT + 1].title = metrics ? NULL : "speedup";
	shown[WITHOUT + 2].title = metrics ? NULL : "efficiency";
}

static int print_speedup(struct context *c, const run_list *runs, enum base_kind kind,
			 const struct measures *m, struct err *err)
{
	struct table table;
	struct column shown[COLUMNS];
	show_columns(shown, &c->cli, has_sets(runs));
	table_init(&table, shown, COLUMNS);
	int rc = 0;
	for (size_t v = 0; rc == 0 && v < m->variable.n; v++)
		rc = add_sets(&table, runs, c, kind, m->variable.at[v], err);
	if (rc == 0 && c->format == FORMAT_TEXT) {
		if (has_sets(runs) && !cli_get(&c->cli, "--group")) /* by problem */
			puts("These are runs of different problems (`size` of import --set, or "
			     "their arguments), each of which is a set; --group chooses other "
			     "sets.");
		print_bases(runs, kind);
	}
	rc = rc ? rc : shape_print(c, &table, "speedup", err);
	table_release(&table);
	return rc;
}

static int run_speedup(struct context *c, struct err *err)
{
	run_list runs = { 0 };
	struct measures metrics = { 0 };
	enum base_kind kind;
	if (cli_get(&c->cli, "--by"))
		return blame_scaling(c, true, err);
	int rc = check_options(&c->cli, err);
	rc = rc ? rc : base_option(&c->cli, &kind, err);
	rc = rc ? rc : choose_metrics(&c->cli, &metrics, err);
	rc = rc ? rc : load_runs(&runs, c, err);
	if (rc == 0)
		rc = cli_get(&c->cli, "--efficiencies") ?
			print_efficiencies(c, &runs, kind, err) :
			print_speedup(c, &runs, kind, &metrics, err);
	measures_release(&metrics);
	runs_release(&runs);
	return rc;
}

const struct command cmd_speedup = {
	"speedup",
	"[EXP...] [--region R | --regions | --efficiencies [--weak]] [--metric M,...] "
	"[--overhead O] [--base KIND] [--seq EXP] [--group K,...] [--by variable]",
	"Show speedup, efficiency and scalability over experiments",
	"Without experiments, all complete ones of the newest one's application are meant.\n"
	"Without --group, runs of different problems are different sets. The problem is `size`\n"
	"or `problem` of `import --set`, or else the arguments of the program. If these are, for\n"
	"instance, a number of threads, give --set size or --group application. A sequential run\n"
	"that has neither, or lacks a key of --group, belongs to every set.\n"
	"The base is the sequential run (--role seq) if there is one, else the run on the fewest\n"
	"processing units. If that was repeated, the base is the mean of the repetitions, or\n"
	"with --base best the one with the smallest time. Repetitions have the same build,\n"
	"command and numbers of processes and threads. The time of a region is that of the\n"
	"processing unit that spent most in it; if the base does not have it, the first run that\n"
	"has it is its base.\n"
	"  speedup      T_base / T\n"
	"  improvement  (T_base - T) / T_base\n"
	"  efficiency   speedup / (p / p_base)\n"
	"  scalability  the same against the run on the next smaller p: what the processing units\n"
	"               that were added gained\n"
	"Without probes, T is less by what the probes on the critical path cost, or those in\n"
	"the region.\n"
	"--metric and --overhead do the same with any metric or overhead. Their values are means\n"
	"over the processing units, as in the overhead tree: efficiency 1 says that all of\n"
	"them together have as much as the base.\n"
	"--efficiencies gives the factors of each run. If TOT_INS and TOT_CYC were counted\n"
	"(SIS_PMETRIC), computation scaling is divided into instructions, instructions per\n"
	"cycle and frequency, each against the base.\n"
	"--by variable does it for the time of each variable (sis-analyze blame), the mean of\n"
	"the processing units; the first experiment is the base.\n"
	"Example: sis-analyze speedup 1 2 3 --region solver --group size",
	options,
	SIZE_MAX,
	run_speedup,
};
