/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_report.c - `sis-analyze report`: the one page to read first. */
#include <stdio.h>
#include <string.h>

#include "query/advice.h"
#include "base/escape.h"
#include "base/json.h"
#include "commands/command.h"
#include "query/call_paths.h"
#include "query/efficiency.h"
#include "query/overhead.h"
#include "query/processors.h"

static const struct cli_option options[] = { REFERENCE_OPTIONS, { NULL, NULL, NULL } };

/* -- what is asked of the repository ----------------------------------------------------------- */

static const struct column shape_columns[] = {
	{ "processes", "", CELL_INTEGER }, { "threads", "", CELL_INTEGER },
	{ "nodes", "", CELL_INTEGER },	   { "useful_max", "", CELL_INTEGER },
	{ "command", "", CELL_TEXT },	   { "estimated", "", CELL_SECONDS },
};
static const char shape[] =
	"SELECT count(DISTINCT process), max(thread) + 1, count(DISTINCT node), max(useful_ns), "
	"(SELECT command FROM experiment WHERE id = ?1), "
	"(SELECT critical_estimated_ns FROM experiment WHERE id = ?1) "
	"FROM processing_unit "
	"WHERE experiment = ?1";

static const struct column region_columns[] = {
	{ "region", "region", CELL_TEXT },	  { "place", "place", CELL_TEXT },
	{ "useful", "useful [s]", CELL_SECONDS }, { "overhead", "overhead [s]", CELL_SECONDS },
	{ "mostly", "mostly", CELL_TEXT },
};
/* Regions of the source; what the runtime adds below them counts for them. Times are divided by
 * p. */
static const char worst[] =
	"WITH useful AS (SELECT s.region, sum(m.useful_ns) AS ns FROM drg_node n "
	"JOIN drg_node s ON s.id = n.source_node JOIN region_summary m ON m.drg_node = n.id "
	"WHERE n.experiment = ?1 GROUP BY s.region), "
	"lost AS (SELECT region, sum(ns) AS ns, max(ns) AS most, leaf FROM overhead_by_source "
	"WHERE experiment = ?1 AND leaf <> 'UNMEASURED' GROUP BY region) "
	"SELECT r.name, CASE WHEN r.line_start THEN r.file || ':' || r.line_start ELSE '-' END, "
	"coalesce(u.ns, 0) / e.p, coalesce(l.ns, 0) / e.p, l.leaf "
	"FROM region r "
	"JOIN experiment e ON e.id = ?1 "
	"LEFT JOIN useful u ON u.region = r.id "
	"LEFT JOIN lost l ON l.region = r.id "
	"WHERE coalesce(u.ns, 0) + coalesce(l.ns, 0) > 0 "
	"ORDER BY coalesce(l.ns, 0) DESC, coalesce(u.ns, 0) DESC LIMIT 8";

static const struct column path_columns[] = {
	{ "region", NULL, CELL_TEXT },
	{ NULL, "region", CELL_TEXT },
	{ "place", "place", CELL_TEXT },
	{ "seconds", "seconds", CELL_SECONDS },
	{ "share", "share of T_p", CELL_SHARE },
	{ "processes", "processes on it", CELL_INTEGER },
	{ "path", NULL, CELL_TEXT },
};
/* By call path. A region that is called from everywhere is on the critical path in many of them,
 * each of which may be too small to be worth a line (a fiftieth of it). So the time of a region is
 * divided among its call paths only if those that are worth a line have half of it. */
static const char path[] =
	"WITH booked AS (SELECT f.call_path, c.pu, sum(c.ns) AS ns "
	"FROM drg_node n JOIN critical_path c ON c.drg_node = n.id "
	"JOIN temp.call_path_of f ON f.node = n.id WHERE n.experiment = ?1 "
	"GROUP BY f.call_path, c.pu), "
	"part AS (SELECT h.region, sum(b.ns) AS ns FROM booked b "
	"JOIN temp.call_path h ON h.id = b.call_path GROUP BY h.id), "
	"divided AS (SELECT p.region FROM part p JOIN experiment e ON e.id = ?1 GROUP BY p.region "
	"HAVING count(*) = 1 "
	"OR 2 * sum(CASE WHEN p.ns >= e.t_p_ns / 50 THEN p.ns ELSE 0 END) >= sum(p.ns)) "
	"SELECT r.name, coalesce(k.name, r.name), "
	"CASE WHEN r.line_start THEN r.file || ':' || r.line_start ELSE '-' END, "
	"sum(b.ns), 1.0 * sum(b.ns) / e.t_p_ns, count(DISTINCT u.process), k.path "
	"FROM booked b "
	"JOIN temp.call_path h ON h.id = b.call_path "
	"JOIN region r ON r.id = h.region "
	"JOIN processing_unit u ON u.id = b.pu "
	"JOIN experiment e ON e.id = ?1 "
	"LEFT JOIN divided d ON d.region = r.id "
	"LEFT JOIN temp.call_path k ON k.id = h.id AND d.region IS NOT NULL "
	"GROUP BY r.id, k.id "
	"ORDER BY sum(b.ns) DESC, r.id, k.id";

struct page {
	struct overheads o;
	struct efficiencies efficiencies;
	actions actions;
	int64_t processors; /* that it could use; 0: not known */
	struct table shape, worst, path;
};

static bool is_crowded(const struct page *page)
{
	return page->processors > 0 && page->o.p > page->processors;
}

static int load(struct page *page, struct repo *repo, int64_t id, int64_t seq, int64_t par1,
		struct err *err)
{
	table_init(&page->shape, shape_columns, sizeof shape_columns / sizeof *shape_columns);
	table_init(&page->worst, region_columns, sizeof region_columns / sizeof *region_columns);
	table_init(&page->path, path_columns, sizeof path_columns / sizeof *path_columns);
	if (overheads_load(&page->o, repo, id, seq, par1, err) ||
	    call_paths_load(repo, id, err) ||
	    repo_fill(repo, &page->shape, err, shape, "i", id) ||
	    efficiencies_load(&page->efficiencies, repo, id, page->o.t_p,
			      (struct efficiency_base){ page->o.ref.seq, 1 }, err) ||
	    repo_fill(repo, &page->worst, err, worst, "i", id) ||
	    repo_fill(repo, &page->path, err, path, "i", id) ||
	    references_keep(&page->o.ref, repo, err) ||
	    processors_count(&page->processors, repo, id, err) ||
	    actions_load(&page->actions, repo, id, &page->o, is_crowded(page), err))
		return ERR_FAILED;
	return 0;
}

static void release(struct page *page)
{
	overheads_release(&page->o);
	efficiencies_release(&page->efficiencies);
	table_release(&page->shape);
	table_release(&page->worst);
	table_release(&page->path);
	actions_release(&page->actions);
}

/* -- efficiencies ------------------------------------------------------------------------------ */

struct efficiency { double parallel, balance, rest; };

/* parallel = useful / (p T_p) = balance x rest: how evenly work is distributed, and what the
 * busiest PU loses. */
static struct efficiency efficiency(const struct page *page)
{
	double useful = (double)page->o.useful,
	       most = (double)table_cell(&page->shape, 0, 3)->integer;
	double t = (double)overheads_measured(&page->o);
	return (struct efficiency){
		.parallel = t > 0 ? useful / t : 0, .balance = most > 0 ? useful / most : 0,
		.rest = t > 0 ? most / t : 0,
	};
}

/* -- the page ---------------------------------------------------------------------------------- */

enum { LACK_WORTH = 50 }; /* a smaller part of T_p without a processor is not worth a line */

static void heading(const struct context *c, const char *text)
{
	printf(c->color ? "\n\033[1m%s\033[0m\n" : "\n%s\n", text);
}

static const char *plural(int64_t n) { return n == 1 ? "" : "s"; }

/* What a lack of processors does to a run is no property of the program, so it comes first. */
static void print_lack(const struct page *page)
{
	const struct overheads *o = &page->o;
	if (o->ns[OLOSS_NOCPU] < o->t_p / LACK_WORTH)
		return;
	printf("For %.6f s, %.1f %% of T_p, threads had work and no processor: ",
	       (double)o->ns[OLOSS_NOCPU] / 1e9,
	       100 * (double)o->ns[OLOSS_NOCPU] / (double)o->t_p);
	if (is_crowded(page))
		printf("%lld processing units shared %lld processor%s. ", (long long)o->p,
		       (long long)page->processors, plural(page->processors));
	else
		printf("other programs used %s. ", page->processors == 1 ? "it" : "them");
	puts("Threads that get no processor also start late and come late: what is below is "
	     "due to this, too.");
}

static void print_head(const struct page *page)
{
	const struct overheads *o = &page->o;
	const struct cell *shape_cell = page->shape.cell.at;
	escape_line(stdout, "%s: %s", o->name,
		    shape_cell[4].kind == CELL_TEXT ? shape_cell[4].text : o->program);
	printf("%lld processing units: %lld process%s, up to %lld thread%s each, on %lld node%s; "
	       "T_p = %.6f s\n", (long long)o->p, (long long)shape_cell[0].integer,
	       shape_cell[0].integer == 1 ? "" : "es", (long long)shape_cell[1].integer,
	       shape_cell[1].integer == 1 ? "" : "s", (long long)shape_cell[2].integer,
	       shape_cell[2].integer == 1 ? "" : "s", (double)o->t_p / 1e9);
	print_lack(page);
	if (o->ns[UNMEASURED])
		printf("%.6f s, %.1f %% of T_p, were not measured, because they were paused or "
		       "disabled. T_o and all efficiencies are of the rest.\n",
		       (double)o->ns[UNMEASURED] / 1e9,
		       100 * (double)o->ns[UNMEASURED] / (double)o->t_p);
	if (!o->complete)
		puts("INCOMPLETE: not every process reached its end; times of the others are up to "
		     "their last sign of life.");
}

static void print_efficiency(const struct context *c, const struct page *page)
{
	double speedup = (double)page->o.t_s / (double)overheads_measured(&page->o);
	efficiencies_print(&page->efficiencies, c->color, stdout);
	if (page->o.has_t_s)
		printf("against the sequential run of %.6f s: speedup %.2f, efficiency %.1f %%\n",
		       (double)page->o.t_s / 1e9, speedup, 100 * speedup / (double)page->o.p);
	else
		puts("no sequential run to compare with; import one with --role seq to see speedup "
		     "and total overhead");
}

/* The regions in which most of the critical path is. If the other regions took no time, the run
 * would last as long. */
static void print_path(const struct page *page)
{
	enum { LINES = 6 };
	const struct cell *estimated = &page->shape.cell.at[5];
	struct table top = page->path;
	if (top.cell.n > LINES * top.columns)
		top.cell.n = LINES * top.columns;
	table_print(&top, FORMAT_TEXT, stdout);
	if (estimated->integer > 0)
		printf("%.6f s of it, %.1f %%, are estimated: they are between MPI calls whose "
		       "regions were not recorded one by one.\n", (double)estimated->integer / 1e9,
		       100 * (double)estimated->integer / (double)page->o.t_p);
}

static void print_text(const struct context *c, const struct page *page)
{
	print_head(page);
	heading(c, "Where the time went (mean of the processing units)");
	overheads_print_tree(&page->o, c->color, stdout);
	heading(c, "How well");
	print_efficiency(c, page);
	if (table_rows(&page->path)) {
		heading(c, "The critical path: what the run's length is due to");
		print_path(page);
	}
	heading(c, "The worst regions (mean of the processing units)");
	table_print(&page->worst, FORMAT_TEXT, stdout);
	heading(c, "What to do next");
	actions_print(&page->actions, &page->o, c->color, stdout);
	overheads_print_warnings(&page->o, false, stdout);
}

static void json_strings(struct json *json, const char *const *text, size_t n)
{
	json_open(json, '[');
	for (size_t i = 0; i < n; i++)
		json_string(json, text[i]);
	json_close(json, ']');
}

/* The line about the first action; the caller frees it. NULL: no memory. */
static char *first_action(const struct page *page)
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

static void times_json(const struct page *page, struct json *json)
{
	struct efficiency e = efficiency(page);
	json_field_string(json, "experiment", page->o.name);
	json_field_integer(json, "p", page->o.p);
	json_field_seconds(json, "t_p", page->o.t_p);
	json_key(json, "t_s");
	if (page->o.has_t_s)
		json_seconds(json, page->o.t_s);
	else
		json_null(json);
	json_field_bool(json, "complete", page->o.complete);
	json_field_seconds(json, "useful", page->o.useful);
	json_field_real(json, "parallel_efficiency", e.parallel);
	json_field_real(json, "load_balance", e.balance);
	json_key(json, "processors");
	if (page->processors)
		json_integer(json, page->processors);
	else
		json_null(json);
}

static void print_json(const struct page *page)
{
	struct json json;
	char *next = first_action(page);
	json_init(&json, stdout);
	json_open(&json, '{');
	times_json(page, &json);
	json_key(&json, "efficiencies"), efficiencies_json(&page->efficiencies, &json);
	json_key(&json, "critical_path"), table_json(&page->path, &json);
	json_key(&json, "critical_path_estimated"), cell_json(&json, &page->shape.cell.at[5]);
	json_field_open(&json, "overheads", '{');
	for (int i = 1; i < SIS_OVERHEADS; i++)
		json_field_seconds(&json, sis_overhead_table[i].name, page->o.ns[i]);
	json_close(&json, '}');
	json_key(&json, "worst"), table_json(&page->worst, &json);
	json_field_string(&json, "next", next);
	json_key(&json, "actions"), actions_json(&page->actions, &json);
	json_key(&json, "hints");
	json_strings(&json, (const char *const *)page->o.hint.at, page->o.hint.n);
	json_key(&json, "warnings");
	json_strings(&json, (const char *const *)page->o.warning.at, page->o.warning.n);
	json_close(&json, '}');
	mem_free((void **)&next);
}

static int run(struct context *c, struct err *err)
{
	int64_t id, seq, par1;
	struct page page = { 0 };
	if (context_experiment(c, &id, err) || context_references(c, &seq, &par1, err))
		return ERR_FAILED;
	int rc = load(&page, c->repo, id, seq, par1, err);
	if (rc == 0 && c->format == FORMAT_JSON)
		print_json(&page);
	else if (rc == 0 && c->format == FORMAT_CSV)
		table_print(&page.worst, FORMAT_CSV, stdout);
	else if (rc == 0)
		print_text(c, &page);
	release(&page);
	return rc;
}

const struct command cmd_report = {
	"report",
	"[EXP] [--seq EXP] [--par1 EXP]",
	"Show where the time went, the worst regions, and what to do next",
	"The page to read first. Seconds are sums over the processing units, divided by their\n"
	"number p; those of the critical path are of the run. Efficiencies are factors: each\n"
	"one is the product of those that are indented below it. From 80 % on they are good,\n"
	"below 60 % low. `solve > spend_ms` is spend_ms called from solve. The critical path and\n"
	"the advice divide the time of a region among its callers if those that are worth a\n"
	"line have half of it.\n"
	"--csv gives the worst regions only.\n"
	"Example: sis-analyze report sis-stommel-20261121-101500-4711",
	options,
	1,
	run,
};
