/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_ratio.c - `sis-analyze ratio`: ratios of metrics, built in (schema/ratios.def) and defined by
 * the user. The ratio of a region is computed from sums over the PUs that have values of all
 * metrics in the ratio. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "commands/command.h"
#include "base/expr.h"
#include "answers/query/metric_values.h"
#include "commands/option_values.h"
#include "commands/ratio_items.h"
#include "commands/table_view.h"

static const struct cli_option options[] = {
	{ "--define", "NAME=EXPR", "a ratio of your own; may be given several times" },
	{ "--type", "TYPE", "only regions of a type, or of a group of types: CR_MPI" },
	{ "--unit", "FUNCTION", "only regions in a function" },
	{ "--region", "NAME",
	  "only a region: its name, NAME@LINE, FILE:LINE, or a call path 'main > solve' or its "
	  "end; with --tree: it and what it calls" },
	{ "--tree", NULL, "by node of the call graph" },
	{ "--pu", "P.T", "only process P, thread T; P: all threads of it; *.T; P.T,P.T" },
	{ "--by-pu", NULL, "for each process and thread; --json and --csv always are, unless:" },
	{ "--by-process", NULL, "for each process" },
	{ "--by-host", NULL, "for each host" },
	SHAPE_OPTIONS,
	{ NULL, NULL, NULL },
};

struct ratio {
	char *name;
	struct expr expr;
	enum cell_kind form; /* how text shows its values */
	bool defined; /* defined by the user */
	bool shown;   /* some region has a value, or the user defined it */
};
struct ratios { VEC(struct ratio) ratio; struct measures measures; };

/* -- the ratios to show ------------------------------------------------------------------------ */

static int add_ratio(struct ratios *r, const char *name, size_t length, const char *expression,
	       enum cell_kind form, bool defined, struct err *err)
{
	struct ratio ratio = { .name = mem_print("%.*s", (int)length, name),
			       .form = form,
			       .defined = defined,
			       .shown = defined };
	char *what = mem_print("ratio: %s", ratio.name);
	int rc = expr_parse(&ratio.expr, expression, what, measure_variable, &r->measures, err);
	free(what);
	if (rc)
		free(ratio.name);
	else
		*vec_push(&r->ratio) = ratio;
	return rc;
}

static int find_ratio(const struct ratios *r, const char *name, size_t length)
{
	for (size_t i = 0; i < r->ratio.n; i++)
		if (strlen(r->ratio.at[i].name) == length &&
		    strncmp(r->ratio.at[i].name, name, length) == 0)
			return i;
	return -1;
}

static int define(struct ratios *r, const char *text, struct err *err)
{
	size_t n = 0;
	while (isalnum((unsigned char)text[n]) || text[n] == '_')
		n++;
	const char *equals = text + n + strspn(text + n, " ");
	if (!n || isdigit((unsigned char)text[0]) || *equals != '=')
		return err_usage(err, "ratio: --define '%s' is no NAME=EXPR; write for example "
				 "--define 'CPI=TOT_CYC/TOT_INS'", text);
	if (find_ratio(r, text, n) >= 0)
		return err_usage(err, "ratio: --define names '%.*s' twice; choose another name",
				 (int)n, text);
	return add_ratio(r, text, n, equals + 1, CELL_REAL, true, err);
}

/* The user's ratios come first. A ratio of the user replaces a built-in one with the same name. */
static int make_ratios(struct ratios *r, const struct cli *cli, struct err *err)
{
	static const struct { const char *name, *expression; enum cell_kind form; } built_in[] = {
#define SIS_RATIO(name, form, expression, description) { #name, expression, CELL_##form },
#include "ratios.def"
#undef SIS_RATIO
	};
	const char *text;
	for (size_t k = 0; (text = cli_nth(cli, "--define", k)); k++)
		if (define(r, text, err))
			return ERR_USAGE;
	for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++) {
		const char *name = built_in[i].name, *expression = built_in[i].expression;
		if (find_ratio(r, name, strlen(name)) < 0 &&
		    add_ratio(r, name, strlen(name), expression, built_in[i].form, false, err))
			return ERR_USAGE;
	}
	return 0;
}

/* -- values ------------------------------------------------------------------------------------ */

/* Whether a row has values of all variables of a ratio. */
static bool has_all(const struct ratio *ratio, const double *value)
{
	for (size_t i = 0; i < ratio->expr.op.n; i++)
		if (ratio->expr.op.at[i].kind == 'v' && isnan(value[ratio->expr.op.at[i].variable]))
			return false;
	return true;
}

static const double *values_of(const struct measures *m, const struct table *region, size_t r,
			       const struct table *pu, size_t u)
{
	const struct measure_row *row = measures_row(m, table_cell(region, r, ITEM_ID)->integer,
						     table_cell(pu, u, 0)->integer);
	return row ? row->value : NULL;
}

/* Whether a processing unit of the group has values of the region. */
static bool is_there(const struct ratios *r, const struct table *region, size_t row,
		     const struct table *pu, struct ratio_group group)
{
	for (size_t u = group.begin; u < group.end; u++)
		if (values_of(&r->measures, region, row, pu, u))
			return true;
	return false;
}

static double over_pus(const struct ratios *r, const struct ratio *ratio,
		       const struct table *region, size_t row, const struct table *pu,
		       struct ratio_group group)
{
	double *sum = mem_alloc(r->measures.variable.n + 1, sizeof *sum);
	for (size_t v = 0; v < r->measures.variable.n; v++)
		sum[v] = NAN;
	for (size_t u = group.begin; u < group.end; u++) {
		const double *value = values_of(&r->measures, region, row, pu, u);
		if (value && has_all(ratio, value))
			measures_add(&r->measures, sum, value);
	}
	double value = expr_value(&ratio->expr, sum);
	free(sum);
	return value;
}

static void add_value(struct table *table, double value)
{
	if (isnan(value))
		table_null(table);
	else
		table_real(table, value);
}

/* -- printing ---------------------------------------------------------------------------------- */

/* The columns by which groups differ. */
static const struct column group_columns[] = {
	{ "process", "process", CELL_INTEGER }, { "thread", "thread", CELL_INTEGER },
	{ "host", "host", CELL_TEXT },
};
enum { GROUP_PROCESS, GROUP_THREAD, GROUP_HOST, GROUP_COLUMNS };

static bool has_column(enum ratio_level level, int column)
{
	return column == GROUP_HOST    ? level == LEVEL_HOST
		: column == GROUP_THREAD ? level == LEVEL_PU
					 : level == LEVEL_PU || level == LEVEL_PROCESS;
}

static void add_line(struct table *table, const struct ratios *r, const struct table *region,
		     size_t row, const struct table *pu, struct ratio_group group,
		     enum ratio_level level)
{
	const struct cell *cell = table_cell(region, row, 0);
	int depth = cell[ITEM_DEPTH].integer < 40 ? (int)cell[ITEM_DEPTH].integer : 40;
	char *name = mem_print("%*s%s", 2 * depth, "", cell[ITEM_NAME].text);
	table_text(table, name), table_text(table, cell[ITEM_TYPE].text),
		table_text(table, cell[ITEM_PLACE].text);
	free(name);
	for (int i = 0; i < GROUP_COLUMNS; i++)
		if (has_column(level, i))
			table_copy(table, table_cell(pu, group.begin, UNIT_PROCESS + i));
	for (size_t i = 0; i < r->ratio.n; i++)
		if (r->ratio.at[i].shown)
			add_value(table, over_pus(r, &r->ratio.at[i], region, row, pu, group));
}

static int print_text(struct context *c, struct ratios *r, const struct table *region,
		      const struct table *pu, enum ratio_level level, struct err *err)
{
	struct table table;
	struct column *column = mem_alloc(r->ratio.n + 3 + GROUP_COLUMNS, sizeof *column);
	size_t columns = 3;
	memcpy(column, &ratio_item_columns[ITEM_NAME], 3 * sizeof *column);
	for (int i = 0; i < 3; i++)
		column[i].title = column[i].key;
	for (int i = 0; i < GROUP_COLUMNS; i++)
		if (has_column(level, i))
			column[columns++] = group_columns[i];
	for (size_t i = 0; i < r->ratio.n; i++)
		if (r->ratio.at[i].shown)
			column[columns++] = (struct column){ r->ratio.at[i].name,
							     r->ratio.at[i].name,
							     r->ratio.at[i].form };
	table_init(&table, column, columns);
	for (size_t row = 0; row < table_rows(region); row++)
		for (struct ratio_group g = { 0 }; g.begin < table_rows(pu); g.begin = g.end) {
			g.end = ratio_group_end(pu, g.begin, level);
			if (level == LEVEL_ALL || is_there(r, region, row, pu, g))
				add_line(&table, r, region, row, pu, g, level);
		}
	int rc = shape_print(c, &table, "ratio", err);
	table_release(&table);
	free(column);
	return rc;
}

static const struct column row_columns[] = {
	{ "region", NULL, CELL_TEXT },	   { "type", NULL, CELL_TEXT },
	{ "file", NULL, CELL_TEXT },	   { "line_start", NULL, CELL_INTEGER },
	{ "process", NULL, CELL_INTEGER }, { "thread", NULL, CELL_INTEGER },
	{ "ratio", NULL, CELL_TEXT },	   { "value", NULL, CELL_REAL },
	{ "path", NULL, CELL_TEXT },	   { "host", NULL, CELL_TEXT },
};
enum { ROW_COLUMNS = sizeof row_columns / sizeof *row_columns };

static void add_rows(struct table *table, const struct ratios *r, const struct table *region,
		     size_t row, const struct table *pu, struct ratio_group g,
		     const struct ratio_asked *a)
{
	static const struct cell none = { .kind = CELL_NULL };
	const struct cell *cell = table_cell(region, row, 0), *unit = table_cell(pu, g.begin, 0);
	bool of_process = a->level != LEVEL_HOST, of_thread = a->level == LEVEL_PU;
	for (size_t i = 0; is_there(r, region, row, pu, g) && i < r->ratio.n; i++) {
		double v = r->ratio.at[i].shown ?
			over_pus(r, &r->ratio.at[i], region, row, pu, g) :
			NAN;
		if (isnan(v) && !r->ratio.at[i].defined)
			continue;
		table_text(table, cell[ITEM_NAME].text), table_text(table, cell[ITEM_TYPE].text);
		table_text(table, cell[ITEM_FILE].text);
		table_integer(table, cell[ITEM_LINE].integer);
		table_copy(table, of_process ? &unit[UNIT_PROCESS] : &none);
		table_copy(table, of_thread ? &unit[UNIT_THREAD] : &none);
		table_text(table, r->ratio.at[i].name);
		add_value(table, v);
		if (a->by_node)
			table_text(table, cell[ITEM_PATH].text);
		if (a->level == LEVEL_HOST)
			table_text(table, unit[UNIT_HOST].text);
	}
}

/* Only nodes have paths, and only sums over hosts have a host. */
static int print_rows(struct context *c, const struct ratios *r, const struct table *region,
		      const struct table *pu, const struct ratio_asked *a, struct err *err)
{
	struct table table;
	struct column column[ROW_COLUMNS];
	size_t columns = ROW_COLUMNS - 2;
	memcpy(column, row_columns, sizeof column);
	if (a->by_node)
		column[columns++] = row_columns[ROW_COLUMNS - 2];
	if (a->level == LEVEL_HOST)
		column[columns++] = row_columns[ROW_COLUMNS - 1];
	table_init(&table, column, columns);
	for (size_t row = 0; row < table_rows(region); row++)
		for (struct ratio_group g = { 0 }; g.begin < table_rows(pu); g.begin = g.end) {
			g.end = ratio_group_end(pu, g.begin, a->level);
			add_rows(&table, r, region, row, pu, g, a);
		}
	int rc = shape_print(c, &table, "ratio", err);
	table_release(&table);
	return rc;
}

/* Explains why a ratio of the user has no value anywhere. */
static void print_missing(const struct ratios *r)
{
	bool *said = mem_alloc(r->measures.variable.n + 1, sizeof *said);
	for (size_t i = 0; i < r->ratio.n && r->ratio.at[i].defined; i++)
		for (size_t k = 0; k < r->ratio.at[i].expr.op.n; k++) {
			const struct expr_op *op = &r->ratio.at[i].expr.op.at[k];
			if (op->kind != 'v' || said[op->variable] ||
			    measures_has(&r->measures, op->variable))
				continue;
			said[op->variable] = true;
			const char *name = r->measures.variable.at[op->variable];
			putchar('\n');
			escape_line(stdout, "%s was not measured in this experiment: build with "
				    "--sis-pmetric=%s, or run with SIS_PMETRIC=%s", name, name,
				    name);
		}
	free(said);
}

/* -- the command ------------------------------------------------------------------------------- */

static int print(struct context *c, struct ratios *r, int64_t id, struct ratio_asked *a,
		 struct err *err)
{
	struct table region, pu;
	table_init(&region, ratio_item_columns, ITEM_COLUMNS);
	table_init(&pu, ratio_unit_columns, UNIT_COLUMNS);
	int rc = ratio_items_fill(&region, c->repo, id, a, err);
	rc = rc ? rc : ratio_units_fill(&pu, c->repo, id, a, err);
	r->measures.by_node = a->by_node;
	rc = rc ? rc : measures_load(&r->measures, c->repo, id, err);
	for (size_t i = 0; rc == 0 && i < r->ratio.n; i++)
		for (size_t k = 0; !r->ratio.at[i].shown && k < r->measures.row.n; k++)
			r->ratio.at[i].shown = !isnan(
				expr_value(&r->ratio.at[i].expr, r->measures.row.at[k].value));
	if (rc == 0 && c->format != FORMAT_TEXT) {
		rc = print_rows(c, r, &region, &pu, a, err);
	} else if (rc == 0) {
		rc = print_text(c, r, &region, &pu, a->level, err);
		if (rc == 0)
			print_missing(r);
	}
	table_release(&region);
	table_release(&pu);
	return rc;
}

static enum ratio_level level_of(const struct context *c)
{
	if (cli_get(&c->cli, "--by-host"))
		return LEVEL_HOST;
	if (cli_get(&c->cli, "--by-process"))
		return LEVEL_PROCESS;
	return cli_get(&c->cli, "--by-pu") || c->format != FORMAT_TEXT ? LEVEL_PU : LEVEL_ALL;
}

static int run_ratio(struct context *c, struct err *err)
{
	int64_t id;
	struct ratios r = { 0 };
	struct ratio_asked a = { .function = cli_get(&c->cli, "--unit"),
			   .region = cli_get(&c->cli, "--region"),
			   .level = level_of(c),
			   .by_node = cli_get(&c->cli, "--tree") };
	int given = !!cli_get(&c->cli, "--by-host") + !!cli_get(&c->cli, "--by-process") +
		!!cli_get(&c->cli, "--by-pu");
	int rc = given < 2 ? 0 :
			     err_usage(err, "ratio: --by-pu, --by-process and --by-host at once; "
				       "choose one");
	rc = rc ? rc : make_ratios(&r, &c->cli, err);
	rc = rc ? rc : select_types(&c->cli, "ratio", &a.types, err);
	rc = rc ? rc : select_pus(&c->cli, "ratio", &a.pus, err);
	rc = rc ? rc : context_experiment(c, &id, err);
	rc = rc ? rc : print(c, &r, id, &a, err);
	for (size_t i = 0; i < r.ratio.n; i++) {
		free(r.ratio.at[i].name);
		expr_release(&r.ratio.at[i].expr);
	}
	vec_free(&r.ratio);
	measures_release(&r.measures);
	vec_free(&a.pus);
	free(a.types);
	return rc;
}

const struct command cmd_ratio = {
	"ratio",
	"[EXP] [--define 'NAME=EXPR'] [--type T] [--unit U] [--region R] [--tree] [--pu P.T] "
	"[--by-pu | --by-process | --by-host]",
	"Show ratios of metrics, built in and your own",
	"EXPR has metrics (WTIME, CALLS, TOT_CYC, PAPI(event)), overheads (OSYNC), numbers,\n"
	"+ - * / ( ), min(a, b) and max(a, b). Times are in seconds and include what a region\n"
	"calls. Beside metrics and overheads there are\n"
	"  EXCL    wall time without that of the regions called\n"
	"  USEFUL  the part of EXCL that is no overhead\n"
	"  P       processing units of the experiment\n"
	"  T_P     wall time of the experiment\n"
	"  WTIME_WITHOUT_PROBES, EXCL_WITHOUT_PROBES, T_P_WITHOUT_PROBES: the same, less what\n"
	"          the probes cost there\n"
	"A ratio is that of the sums over the processing units, or over those of each host or\n"
	"process; --by-pu, --json and --csv give it for each one. A division by zero and a\n"
	"metric that was not measured have no value: - or null.\n"
	"Built in:\n"
#define SIS_RATIO(name, form, expression, description) \
	"  " #name " = " expression ": " description "\n"
#include "ratios.def"
#undef SIS_RATIO
	"Example: sis-analyze ratio --define 'WAIT_PER_CALL = OSYNC / CALLS' --type CR_MPI",
	options,
	1,
	run_ratio,
};
