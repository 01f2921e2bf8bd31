/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_speedup.c - `sis-analyze speedup`: how well more processing units were used, by the program
 * and its regions. In each set the base is the sequential run, else the run on the fewest PUs. */
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/sort.h"
#include "query/region_times.h"
#include "commands/run_arguments.h"
#include "query/runs.h"
#include "commands/scaling_table.h"
#include "commands/table_view.h"

static const struct cli_option options[] = {
	{ "--region", "NAME",
	  "a region, by name or key, in place of the program; may be given several times" },
	{ "--regions", NULL, "the program and all regions of the base's source" },
	{ "--efficiencies", NULL,
	  "POP's efficiencies of the program in each run, against the base, in place of its "
	  "speedup" },
	{ "--weak", NULL, "with --efficiencies: the problem grows with the processing units" },
	{ "--group", "KEY", "sets of experiments with one value of KEY: of --set, or " RUN_KEYS },
	SHAPE_OPTIONS,
	{ NULL, NULL, NULL },
};

struct set { /* runs first .. first + n of a list, the base first */
	const struct run *run;
	struct region_times *times; /* for each run; empty if only the program is shown */
	size_t n;
};

static const struct column columns[] = {
	{ "set", "set", CELL_TEXT },
	{ "region", "region", CELL_TEXT },
	{ "experiment", "experiment", CELL_TEXT },
	{ "p", "p", CELL_INTEGER },
	{ "seconds", "seconds", CELL_SECONDS },
	{ "speedup", "speedup", CELL_REAL },
	{ "improvement", "improvement", CELL_REAL },
	{ "efficiency", "efficiency", CELL_REAL },
	{ "scalability", "scalability", CELL_REAL },
	{ "key", NULL, CELL_TEXT },
};

/* -- sets -------------------------------------------------------------------------------------- */

static int by_set_and_units(const void *va, const void *vb)
{
	const struct run *a = va, *b = vb;
	return strcmp(a->set, b->set) ?: b->sequential - a->sequential ?: ORDER(a->p, b->p) ?:
		ORDER(a->id, b->id);
}

static size_t set_length(const run_list *runs, size_t first)
{
	size_t n = 0;
	while (first + n < runs->n && strcmp(runs->at[first + n].set, runs->at[first].set) == 0)
		n++;
	return n;
}

/* Adds the sequential run of its application to a set that has none. */
static int add_sequential(run_list *runs, struct context *c, struct err *err)
{
	size_t there = runs->n;
	for (size_t first = 0, n; first < there; first += n) {
		int64_t id;
		struct run run;
		n = set_length(runs, first);
		if (runs->at[first].sequential)
			continue;
		int found = repo_number(
			c->repo, &id, err,
			"SELECT q.id "
			"FROM experiment q "
			"JOIN version w ON w.id = q.version "
			"WHERE q.role = 'seq' AND w.application = "
			"(SELECT v.application FROM version v "
			"JOIN experiment e ON e.version = v.id WHERE e.id = ?) "
			"ORDER BY q.started_ns DESC, q.id DESC LIMIT 1",
			"i", runs->at[first].id);
		if (found < 0 || (found && run_load(&run, c->repo, id, NULL, err)))
			return ERR_FAILED;
		if (!found)
			continue;
		free(run.set);
		run.set = mem_string(runs->at[first].set);
		*vec_push(runs) = run;
	}
	return 0;
}

/* -- lines ------------------------------------------------------------------------------------- */

static void ratio_cell(struct table *table, double above, double below)
{
	if (below > 0)
		table_real(table, above / below);
	else
		table_null(table);
}

/* The best time on the next smaller number of PUs; returns its index, or `i` if there is none. */
static size_t predecessor(const struct set *set, const int64_t *ns, size_t i)
{
	size_t best = i;
	for (size_t k = 0; k < i; k++) {
		if (ns[k] < 0 || set->run[k].p >= set->run[i].p)
			continue;
		if (best == i || set->run[k].p > set->run[best].p ||
		    (set->run[k].p == set->run[best].p && ns[k] < ns[best]))
			best = k;
	}
	return best;
}

/* One line for each run of the set that has the region; ns: its time in each run, negative where it
 * has none. */
static void add_lines(struct table *table, const struct set *set, const char *region,
		      const char *key, const int64_t *ns)
{
	size_t base = 0;
	while (base < set->n && ns[base] < 0)
		base++;
	for (size_t i = base; i < set->n; i++) {
		if (ns[i] < 0)
			continue;
		const struct run *run = &set->run[i];
		double t = ns[i], t_base = ns[base],
		       p_base = set->run[base].sequential ? 1 : set->run[base].p;
		size_t before = predecessor(set, ns, i);
		table_text(table, run->set), table_text(table, region),
			table_text(table, run->name);
		table_integer(table, run->p), table_seconds(table, ns[i]);
		ratio_cell(table, t_base, t);
		ratio_cell(table, t_base - t, t_base);
		ratio_cell(table, t_base * p_base, t * (double)run->p);
		if (before == i)
			table_null(table);
		else
			ratio_cell(table, (double)ns[before] * (double)set->run[before].p,
				   t * (double)run->p);
		table_text(table, key);
	}
}

/* The time of all regions of a name; -1: there is none. */
static int64_t named_ns(const struct region_times *times, const char *name)
{
	int64_t ns = -1;
	for (size_t i = 0; i < times->region.n; i++)
		if (region_time_is(&times->region.at[i], name))
			ns = clamp_add(ns < 0 ? 0 : ns, times->region.at[i].wall_ns);
	return ns;
}

static bool add_named(struct table *table, const struct set *set, const char *name)
{
	bool any = false;
	int64_t *ns = mem_alloc(set->n, sizeof *ns);
	for (size_t i = 0; i < set->n; i++) {
		ns[i] = named_ns(&set->times[i], name);
		any |= ns[i] >= 0;
	}
	add_lines(table, set, name, NULL, ns);
	free(ns);
	return any;
}

static void add_program(struct table *table, const struct set *set)
{
	int64_t *ns = mem_alloc(set->n, sizeof *ns);
	for (size_t i = 0; i < set->n; i++)
		ns[i] = set->run[i].t_p_ns;
	add_lines(table, set, "program", NULL, ns);
	free(ns);
}

/* Shows all regions of the base that are in the source. */
static void add_regions(struct table *table, const struct set *set)
{
	const struct region_times *base = &set->times[0];
	size_t regions = base->region.n;
	int64_t *ns = mem_alloc(regions * set->n + 1, sizeof *ns);
	for (size_t i = 0; i < regions * set->n; i++)
		ns[i] = -1;
	for (size_t k = 0; k < set->n; k++) {
		size_t *pair = region_times_pair(base, &set->times[k]);
		for (size_t i = 0; i < set->times[k].region.n; i++)
			if (pair[i] != NO_REGION)
				ns[pair[i] * set->n + k] = set->times[k].region.at[i].wall_ns;
		free(pair);
	}
	for (size_t i = 0; i < regions; i++)
		if (base->region.at[i].line)
			add_lines(table, set, base->region.at[i].name, base->region.at[i].key,
				  ns + i * set->n);
	free(ns);
}

/* -- the command ------------------------------------------------------------------------------- */

static int load_times(struct set *set, struct context *c, struct err *err)
{
	int rc = 0;
	set->times = mem_alloc(set->n, sizeof *set->times);
	for (size_t i = 0; rc == 0 && i < set->n; i++)
		rc = region_times_load(&set->times[i], c->repo, set->run[i].id, err);
	return rc;
}

/* *found: bit k is set if some set has the k-th --region. */
static int add_set(struct table *table, struct set *set, struct context *c, bool *found,
		   struct err *err)
{
	const char *name;
	bool regions = cli_get(&c->cli, "--regions"), named = cli_get(&c->cli, "--region");
	int rc = regions || named ? load_times(set, c, err) : 0;
	if (rc == 0 && !named)
		add_program(table, set);
	if (rc == 0 && regions)
		add_regions(table, set);
	for (size_t k = 0; rc == 0 && (name = cli_nth(&c->cli, "--region", k)); k++)
		found[k] |= add_named(table, set, name);
	for (size_t i = 0; set->times && i < set->n; i++)
		region_times_release(&set->times[i]);
	free(set->times);
	return rc;
}

static int add_sets(struct table *table, const run_list *runs, struct context *c, struct err *err)
{
	int rc = 0;
	const char *name;
	bool *found = mem_alloc(c->cli.given.n + 1, sizeof *found);
	for (size_t first = 0; rc == 0 && first < runs->n;) {
		struct set set = { .run = &runs->at[first], .n = set_length(runs, first) };
		rc = add_set(table, &set, c, found, err);
		first += set.n;
	}
	for (size_t k = 0; rc == 0 && (name = cli_nth(&c->cli, "--region", k)); k++)
		if (!found[k])
			rc = err_fail(err, "speedup: no region '%s' in these experiments; "
				      "`sis-analyze regions` lists them", name);
	free(found);
	return rc;
}

/* Text has one table for each set, --json and --csv have rows. */
static int print_efficiencies(struct context *c, const run_list *runs, struct err *err)
{
	int rc = 0;
	struct table rows;
	table_init(&rows, scaling_columns, SCALING_COLUMNS);
	for (size_t first = 0, n; rc == 0 && first < runs->n; first += n) {
		n = set_length(runs, first);
		if (first && c->format == FORMAT_TEXT)
			putchar('\n');
		rc = scaling_table(c, &runs->at[first], n, cli_get(&c->cli, "--weak") != NULL,
				   &rows, err);
	}
	if (rc == 0 && c->format != FORMAT_TEXT)
		table_print(&rows, c->format, stdout);
	table_release(&rows);
	return rc;
}

static int run(struct context *c, struct err *err)
{
	run_list runs = { 0 };
	struct table table;
	struct column shown[sizeof columns / sizeof *columns];
	if (cli_get(&c->cli, "--region") && cli_get(&c->cli, "--regions"))
		return err_usage(err, "speedup: --region and --regions at once; choose one");
	bool efficiencies = cli_get(&c->cli, "--efficiencies");
	if (!efficiencies && cli_get(&c->cli, "--weak"))
		return err_usage(err, "speedup: --weak is for --efficiencies: give both");
	if (efficiencies && (cli_get(&c->cli, "--region") || cli_get(&c->cli, "--regions")))
		return err_usage(err, "speedup: --efficiencies are the program's: leave out "
				 "--region and --regions");
	memcpy(shown, columns, sizeof columns);
	if (!cli_get(&c->cli, "--group"))
		shown[0].title = NULL;
	table_init(&table, shown, sizeof columns / sizeof *columns);
	int rc = runs_of_arguments(&runs, c, cli_get(&c->cli, "--group"), err);
	if (rc == 0)
		qsort(runs.at, runs.n, sizeof *runs.at, by_set_and_units);
	rc = rc ? rc : add_sequential(&runs, c, err);
	if (rc == 0) {
		qsort(runs.at, runs.n, sizeof *runs.at, by_set_and_units);
		rc = efficiencies ? print_efficiencies(c, &runs, err) :
				    add_sets(&table, &runs, c, err);
	}
	rc = rc || efficiencies ? rc : shape_print(c, &table, "speedup", err);
	table_release(&table);
	runs_release(&runs);
	return rc;
}

const struct command cmd_speedup = {
	"speedup",
	"[EXP...] [--region R | --regions | --efficiencies [--weak]] [--group K]",
	"Show speedup, efficiency and scalability over experiments",
	"Without experiments, all complete ones of the newest one's application are meant. The\n"
	"base is the sequential run (--role seq) if there is one, else the run on the fewest\n"
	"processing units. The time of a region is that of the processing unit that spent most\n"
	"in it.\n"
	"  speedup      T_base / T\n"
	"  improvement  (T_base - T) / T_base\n"
	"  efficiency   speedup / (p / p_base)\n"
	"  scalability  the same against the run on the next smaller p: what the processing units\n"
	"               that were added gained\n"
	"--efficiencies gives the factors of each run. If TOT_INS and TOT_CYC were counted\n"
	"(SIS_PMETRIC), computation scaling is divided into instructions, instructions per\n"
	"cycle and frequency, each against the base.\n"
	"Example: sis-analyze speedup 1 2 3 --region solver --group size",
	options,
	SIZE_MAX,
	run,
};
