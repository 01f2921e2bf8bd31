/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_report.c - `sis-analyze report`: a summary of a run, to be read first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/json.h"
#include "base/path.h"
#include "base/ratio.h"
#include "commands/command_output.h"
#include "answers/query/overhead_tree.h"
#include "answers/query/report_page.h"

static const struct cli_option options[] = {
	{ "--region", "R",
	  "the report of one region, with all that it calls: its name, NAME@LINE or FILE:LINE" },
	REFERENCE_OPTIONS,
	{ NULL, NULL, NULL },
};

/* -- efficiencies ------------------------------------------------------------------------------ */

struct efficiency { double parallel, balance; };

static double quotient(double above, double below)
{
	return below > 0 ? above / below : 0;
}

/* `parallel` is the mean useful work of the units divided by the measured time of the run.
 * `balance` is this mean divided by the useful work of the unit that has most of it. In a report
 * about a region, only the units that were in the region count, and the time of the unit that was
 * there longest replaces the time of the run. */
static struct efficiency efficiency(const struct report_page *page)
{
	const struct region_efficiency *r = page->region;
	double useful = (double)page->tree.useful,
	       most = (double)table_cell(&page->shape, 0, SHAPE_MOST_USEFUL)->integer,
	       t = (double)overheads_measured(&page->o);
	if (r) {
		useful *= quotient((double)page->o.p, (double)r->units);
		most = (double)r->most_useful_ns;
		t = (double)r->longest_ns;
	}
	return (struct efficiency){ quotient(useful, t), quotient(useful, most) };
}

/* -- the page ---------------------------------------------------------------------------------- */

/* times below these parts of T_p are not worth a line: 1/50 without a processor, 1/1000 in
 * probes */
enum { LACK_WORTH = 50, PROBES_WORTH = 1000 };

static void heading(const struct context *c, const char *text)
{
	printf(c->color ? "\n\033[1m%s\033[0m\n" : "\n%s\n", text);
}

/* A lack of processors is not caused by the program, but it changes the numbers below. So it is
 * printed first. */
static void print_lack(const struct report_page *page)
{
	const struct overheads *o = &page->o;
	if (o->ns[OLOSS_NOCPU] < o->t_p / LACK_WORTH)
		return;
	printf("For %.6f s, %.1f %% of T_p, threads had work and no processor: ",
	       (double)o->ns[OLOSS_NOCPU] / 1e9,
	       100 * (double)o->ns[OLOSS_NOCPU] / (double)o->t_p);
	if (report_is_crowded(page))
		printf("%lld processing units shared %lld processor%s. ", (long long)o->p,
		       (long long)page->processors, page->processors == 1 ? "" : "s");
	else
		printf("other programs used %s. ", page->processors == 1 ? "it" : "them");
	puts("Threads that get no processor also start late and come late: what is below is "
	     "due to this, too.");
	if (o->lack)
		escape_line(stdout, "How long, and where, is %s.", o->lack);
}

/* T_p without probes, if these cost as much as they can (PROBE_COST_MOST). */
static int64_t least_without_probes(const struct overheads *o)
{
	int64_t cost = clamp_subtract(o->t_p, o->t_p_without);
	if (o->t_p_without == COST_UNKNOWN)
		return COST_UNKNOWN;
	return cost > o->t_p / PROBE_COST_MOST ? 0 : o->t_p - PROBE_COST_MOST * cost;
}

static void print_without_probes(const struct overheads *o)
{
	int64_t cost = clamp_subtract(o->t_p, o->t_p_without);
	if (o->t_p_without == COST_UNKNOWN || cost < o->t_p / PROBES_WORTH)
		return;
	printf("Without the probes on the critical path T_p would be %.6f s, %.1f %% less, if a "
	       "pair costs what it cost at the start of the process. It may be hidden behind other "
	       "work, or cost up to %d times as much: from %.6f s to T_p.\n",
	       (double)o->t_p_without / 1e9, 100 * (double)cost / (double)o->t_p,
	       PROBE_COST_MOST,
	       (double)least_without_probes(o) / 1e9);
}

static void print_head(const struct report_page *page)
{
	const struct overheads *o = &page->o;
	const struct cell *shape_cell = page->shape.cell.at;
	escape_line(stdout, "%s: %s", o->name,
		    shape_cell[4].kind == CELL_TEXT ? shape_cell[4].text : o->program);
	printf("%lld processing units: %lld process%s, %s%lld thread%s each, on %lld node%s; "
	       "T_p = %.6f s\n", (long long)o->p, (long long)shape_cell[0].integer,
	       shape_cell[0].integer == 1 ? "" : "es",
	       shape_cell[1].integer == 1 ? "" : "up to ", (long long)shape_cell[1].integer,
	       shape_cell[1].integer == 1 ? "" : "s", (long long)shape_cell[2].integer,
	       shape_cell[2].integer == 1 ? "" : "s", (double)o->t_p / 1e9);
	print_lack(page);
	print_without_probes(o);
	if (shape_cell[SHAPE_CLOCK].kind == CELL_TEXT)
		escape_line(stdout, "Clock of the probes: %s.", shape_cell[SHAPE_CLOCK].text);
	if (o->ns[UNMEASURED])
		printf("%.6f s, %.1f %% of T_p, were not measured, because they were paused or "
		       "disabled. T_o and all efficiencies are of the rest.\n",
		       (double)o->ns[UNMEASURED] / 1e9,
		       100 * (double)o->ns[UNMEASURED] / (double)o->t_p);
	if (!o->complete)
		puts("INCOMPLETE: not every process reached its end, and times of the others are "
		     "up to their last sign of life; or not all could be written to the disk. The "
		     "warnings say which.");
}

/* The speedup without probes, or -1 if this is not known. */
static double speedup_without_probes(const struct overheads *o)
{
	int64_t measured = clamp_subtract(o->t_p_without, o->ns[UNMEASURED]);
	bool known = o->t_s_without != COST_UNKNOWN && o->t_p_without != COST_UNKNOWN;
	return known && measured > 0 ? (double)o->t_s_without / (double)measured : -1;
}

static void print_efficiency(const struct context *c, const struct report_page *page)
{
	char factor[RATIO_ROOM], share[RATIO_ROOM];
	double speedup = (double)page->o.t_s / (double)overheads_measured(&page->o);
	efficiencies_print(&page->efficiencies, c->color, stdout);
	if (page->o.has_t_s)
		printf("against the sequential run of %.6f s: speedup %s, efficiency %s\n",
		       (double)page->o.t_s / 1e9, ratio_factor(factor, speedup),
		       ratio_share(share, speedup / (double)page->o.p));
	if (speedup_without_probes(&page->o) > 0)
		printf("both without probes: speedup %s\n",
		       ratio_factor(factor, speedup_without_probes(&page->o)));
	if (!page->o.has_t_s)
		puts("no sequential run to compare with; import one with --role seq to see speedup "
		     "and total overhead");
}

/* Prints the regions that have most of the critical path. Even if regions outside of this path took
 * no time, the run would last as long. */
static void print_path(const struct report_page *page)
{
	enum { LINES = 6 };
	const struct cell *estimated = &page->shape.cell.at[SHAPE_ESTIMATED];
	struct table top = page->path;
	if (top.cell.n > LINES * top.columns)
		top.cell.n = LINES * top.columns;
	table_print(&top, FORMAT_TEXT, stdout);
	if (!page->region && estimated->integer > 0)
		printf("%.6f s of it, %.1f %%, are estimated; a trace (SIS_TRACE=1) has all "
		       "events.\n", (double)estimated->integer / 1e9,
		       100 * (double)estimated->integer / (double)page->o.t_p);
}

/* -- efficiencies of regions ------------------------------------------------------------------- */

static const struct column efficiency_columns[] = {
	{ "region", "region", CELL_TEXT },
	{ "place", "place", CELL_TEXT },
	{ "share", "share of T_p", CELL_SHARE },
	{ "processing_units", "units", CELL_INTEGER },
	{ "parallel_efficiency", "efficiency", CELL_SHARE },
	{ "mpi_load_balance", "MPI balance", CELL_SHARE },
	{ "mpi_communication_efficiency", "communication", CELL_SHARE },
	{ "omp_parallel_efficiency", "threads", CELL_SHARE },
	{ "local_efficiency", "within", CELL_SHARE },
};

static void share_or_null(struct table *table, double value)
{
	if (value < 0)
		table_null(table);
	else
		table_real(table, value);
}

/* The table of regions that take at least a twentieth of the run; at most `most` of them. */
static struct table efficiencies_table(const struct report_page *page, size_t most)
{
	struct table table;
	table_init(&table, efficiency_columns,
		   sizeof efficiency_columns / sizeof *efficiency_columns);
	for (size_t i = 0; i < page->regions.n && i < most; i++) {
		const struct region_efficiency *r = &page->regions.at[i];
		const double *v = r->efficiencies.value;
		if (r->ns < page->o.t_p / 20)
			break;
		char *place = path_place(r->file, r->line);
		table_text(&table, r->name), table_text(&table, place);
		table_real(&table, (double)r->ns / (double)page->o.t_p);
		table_integer(&table, (int64_t)r->units);
		share_or_null(&table, v[EFFICIENCY_PARALLEL]);
		share_or_null(&table, v[EFFICIENCY_MPI_BALANCE]);
		share_or_null(&table, v[EFFICIENCY_MPI_COMM]);
		share_or_null(&table, v[EFFICIENCY_OMP]);
		share_or_null(&table, v[EFFICIENCY_LOCAL]);
		mem_free((void **)&place);
	}
	return table;
}

/* -- text -------------------------------------------------------------------------------------- */

/* Prints for which variables the program waited; `blame --overhead` shows all. */
static void print_waited(const struct context *c, const struct report_page *page)
{
	if (page->region || table_rows(&page->waited) == 0)
		return;
	heading(c, "What was waited for (mean of the processing units)");
	for (size_t r = 0; r < table_rows(&page->waited); r++)
		escape_line(stdout, "%.6f s of waiting for '%s': %s",
			    (double)table_cell(&page->waited, r, 1)->integer / 1e9,
			    table_cell(&page->waited, r, 0)->text,
			    table_cell(&page->waited, r, 2)->text);
}

/* Prints what was off, or measured less, for a part of the run. The report of a region does not
 * list what the budget turned down. */
static void print_off(const struct context *c, const struct report_page *page)
{
	enum { LINES = 8 };
	bool less = table_rows(&page->less) && !page->region;
	if (table_rows(&page->switched)) {
		heading(c, "Off for a part of the run (rules, sis-analyze control, the program)");
		switched_off_print(&page->switched, LINES, stdout);
	}
	if (less) {
		heading(c, "Measured less, to keep the overhead low (SIS_OVERHEAD)");
		measured_less_print(&page->less, LINES, stdout);
	}
	if (less || table_rows(&page->switched))
		off_inside_print(&page->off, LINES, stdout);
	if (less || (table_rows(&page->switched) && table_rows(&page->off)))
		puts("Calls are exact, except of regions that were off; `regions` has the errors "
		     "of times.");
}

static void print_rest(const struct context *c, const struct report_page *page)
{
	if (table_rows(&page->path)) {
		heading(c, page->region ?
				"Its part of the critical path, which determines the run time" :
				"The critical path: what determines the run time");
		print_path(page);
	}
	heading(c, page->region ? "Its worst regions (mean of the processing units)" :
				  "The worst regions (mean of the processing units)");
	table_print(&page->worst, FORMAT_TEXT, stdout);
	if (!page->region && page->start_ns)
		printf("MPI_Init and MPI_Finalize, which are not listed, took %.6f s, %.1f %% of "
		       "T_p.\n", (double)page->start_ns / 1e9,
		       100 * (double)page->start_ns / (double)page->o.t_p);
	print_waited(c, page);
	print_off(c, page);
	heading(c, "What to do next");
	actions_print(&page->actions, &page->o, c->color, stdout);
	if (!page->region)
		overheads_print_warnings(&page->o, stdout);
}

static void print_region_head(const struct report_page *page)
{
	const struct region_efficiency *r = page->region;
	char *place = path_place(r->file, r->line);
	escape_print(stdout, "%s", r->name);
	if (r->file[0])
		escape_print(stdout, " (%s)", place);
	free(place);
	escape_line(stdout, " in %s, with all that it calls", page->o.name);
	printf("%zu of %lld processing units were in it, the longest for %.6f s; mean of all "
	       "units: %.6f s, %.1f %% of T_p\n", r->units, (long long)page->o.p,
	       (double)r->longest_ns / 1e9, (double)r->ns / 1e9,
	       100 * (double)r->ns / (double)page->o.t_p);
	if (r->leaf[OPROBE] >= r->ns / PROBES_WORTH)
		printf("without probes: the longest %.6f s, mean of all units %.6f s\n",
		       (double)r->longest_without_ns / 1e9, (double)page->tree.t_p_without / 1e9);
}

static void print_text(const struct context *c, const struct report_page *page)
{
	if (page->region)
		print_region_head(page);
	else
		print_head(page);
	heading(c, "Where the time went (mean of the processing units)");
	overheads_print_tree(&page->tree, true, page->region ? "of it" : "of T_p", c->color,
			     stdout);
	heading(c, "Efficiencies");
	if (page->region) {
		efficiencies_print(&page->region->efficiencies, c->color, stdout);
	} else {
		enum { LINES = 8 };
		struct table table = efficiencies_table(page, LINES);
		print_efficiency(c, page);
		if (table_rows(&table) > 1) {
			heading(c, "Efficiencies by region (with all that it calls)");
			table_print(&table, FORMAT_TEXT, stdout);
		}
		table_release(&table);
	}
	print_rest(c, page);
}

/* -- JSON -------------------------------------------------------------------------------------- */

/* The line about the first action; the caller frees it. Returns NULL if there is no memory. */
static char *first_action(const struct report_page *page)
{
	char *text = NULL;
	size_t length = 0;
	FILE *line = open_memstream(&text, &length);
	if (!line)
		return NULL;
	actions_print_first(&page->actions, &page->o, line);
	fclose(line);
	if (text)
		text[strcspn(text, "\n")] = 0;
	return text;
}

/* Writes the times of the run or, with --region, the means over all units in the region. */
static void times_json(const struct report_page *page, struct json *json)
{
	struct efficiency e = efficiency(page);
	const struct overheads *o = &page->tree;
	json_field_string(json, "experiment", o->name);
	json_field_integer(json, "p", o->p);
	json_field_seconds(json, "t_p", o->t_p);
	json_key(json, "t_p_without_probes"), json_time(json, o->t_p_without);
	json_key(json, "t_p_without_probes_least"), json_time(json, least_without_probes(o));
	json_key(json, "t_s"), json_time(json, o->has_t_s ? o->t_s : COST_UNKNOWN);
	json_key(json, "t_s_without_probes"), json_time(json, o->t_s_without);
	json_field_bool(json, "complete", o->complete);
	json_field_seconds(json, "useful", o->useful);
	json_field_real(json, "parallel_efficiency", e.parallel);
	json_field_real(json, "load_balance", e.balance);
	json_key(json, "processors");
	if (page->processors)
		json_integer(json, page->processors);
	else
		json_null(json);
}

/* Writes the region of the report, and the efficiencies of all regions that matter. */
static void regions_json(const struct report_page *page, struct json *json)
{
	struct table table = efficiencies_table(page, SIZE_MAX);
	const struct region_efficiency *r = page->region;
	json_field_string(json, "region", r ? r->name : NULL);
	if (r) {
		json_field_integer(json, "processing_units", (int64_t)r->units);
		json_field_seconds(json, "longest", r->longest_ns);
		json_field_seconds(json, "longest_without_probes", r->longest_without_ns);
	}
	json_key(json, "regions"), table_json(&table, json);
	table_release(&table);
}

static void print_json(const struct report_page *page)
{
	struct json json;
	char *next = first_action(page);
	json_init(&json, stdout);
	json_open(&json, '{');
	times_json(page, &json);
	json_key(&json, "efficiencies"), efficiencies_json(page->region ?
		&page->region->efficiencies : &page->efficiencies, &json);
	regions_json(page, &json);
	json_key(&json, "waited_for"), table_json(&page->waited, &json);
	json_key(&json, "critical_path"), table_json(&page->path, &json);
	json_key(&json, "clock"), cell_json(&json, &page->shape.cell.at[SHAPE_CLOCK]);
	json_key(&json, "critical_path_estimated");
	cell_json(&json, &page->shape.cell.at[SHAPE_ESTIMATED]);
	json_field_open(&json, "overheads", '{');
	for (int i = 1; i < SIS_OVERHEADS; i++)
		json_field_seconds(&json, sis_overhead_table[i].name, page->tree.ns[i]);
	json_close(&json, '}');
	json_key(&json, "worst"), table_json(&page->worst, &json);
	json_field_string(&json, "next", next);
	json_key(&json, "actions"), actions_json(&page->actions, &json);
	json_key(&json, "turned_down"), measured_less_json(&page->less, &json);
	json_key(&json, "switched_off"), switched_off_json(&page->switched, &json);
	json_key(&json, "includes_off"), off_inside_json(&page->off, &json);
	json_field_open(&json, "warnings", '[');
	for (size_t i = 0; i < page->o.warning.n; i++)
		json_string(&json, page->o.warning.at[i]);
	json_close(&json, ']');
	json_close(&json, '}');
	mem_free((void **)&next);
}

static int load(struct context *c, struct report_page *page, struct err *err)
{
	int64_t id, seq, par1;
	*page = (struct report_page){ 0 };
	if (context_experiment(c, &id, err) || context_references(c, &seq, &par1, err))
		return ERR_FAILED;
	return report_page_load(page, c->repo, id, cli_get(&c->cli, "--region"), seq, par1, err);
}

static int run_report(struct context *c, struct err *err)
{
	struct report_page page;
	int rc = load(c, &page, err);
	if (rc == 0 && c->format == FORMAT_JSON)
		print_json(&page);
	else if (rc == 0 && c->format == FORMAT_CSV)
		table_print(&page.worst, FORMAT_CSV, stdout);
	else if (rc == 0)
		print_text(c, &page);
	report_page_release(&page);
	return rc;
}

/* Prints both forms of one page, because loading a page takes most of the time. */
static int run_both(struct context *c, struct err *err)
{
	struct report_page page;
	int rc = load(c, &page, err);
	if (rc == 0) {
		print_json(&page);
		putchar('\0');
		print_text(c, &page);
	}
	report_page_release(&page);
	return rc;
}

const struct command cmd_report = {
	"report",
	"[EXP] [--region R] [--seq EXP] [--par1 EXP]",
	"Show where the time went, the worst regions, and what to do next",
	"The page to read first. Seconds are sums over the processing units, divided by their\n"
	"number p; those of the critical path are of the run. Efficiencies are factors: each\n"
	"one is the product of those that are indented below it. From 80 % on they are good,\n"
	"below 60 % low. Those of a region are of the processing units that were in it, and of\n"
	"the time of the one that was there longest: what the others do not spend there is its\n"
	"imbalance. `solve > spend_ms` is spend_ms called from solve. The critical path and\n"
	"the advice divide the time of a region among its callers if those that are worth a\n"
	"line have half of it.\n"
	"--csv gives the worst regions only.\n"
	"Example: sis-analyze report sis-stommel-20261121-101500-4711",
	options,
	1,
	run_report,
};

const struct command cmd_report_both = { "report", "", "", "", options, 1, run_both };
