/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_ratio.c - `sis-analyze ratio`: ratios of metrics, built in (schema/ratios.def) and defined by
 * the user. The ratio of a region is that of sums over the PUs that have all of its metrics. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "commands/command.h"
#include "base/expr.h"
#include "query/metric_values.h"
#include "commands/option_values.h"

static const struct cli_option options[] = {
	{ "--define", "NAME=EXPR", "a ratio of your own; may be given several times" },
	{ "--type", "TYPE", "only regions of a type, or of a group of types: CR_MPI" },
	{ "--unit", "FUNCTION", "only regions in a function" },
	{ "--pu", "P.T", "only process P, thread T" },
	{ NULL, NULL, NULL },
};

struct ratio {
	char *name;
	struct expr expr;
	bool defined; /* defined by the user */
	bool shown;   /* some region has a value, or the user defined it */
};
struct ratios { VEC(struct ratio) ratio; struct measures measures; };

/* -- what is asked for ------------------------------------------------------------------------- */

static int add(struct ratios *r, const char *name, size_t length, const char *expression,
	       bool defined, struct err *err)
{
	struct ratio ratio = { .name = mem_print("%.*s", (int)length, name),
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

static int find(const struct ratios *r, const char *name, size_t length)
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
	if (find(r, text, n) >= 0)
		return err_usage(err, "ratio: --define names '%.*s' twice; choose another name",
				 (int)n, text);
	return add(r, text, n, equals + 1, true, err);
}

/* Ratios of the user come first; one with the name of a built-in ratio replaces it. */
static int make_ratios(struct ratios *r, const struct cli *cli, struct err *err)
{
	static const char *const built_in[][2] = {
#define SIS_RATIO(name, expression, description) { #name, expression },
#include "ratios.def"
#undef SIS_RATIO
	};
	const char *text;
	for (size_t k = 0; (text = cli_nth(cli, "--define", k)); k++)
		if (define(r, text, err))
			return ERR_USAGE;
	for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++) {
		const char *name = built_in[i][0];
		if (find(r, name, strlen(name)) < 0 &&
		    add(r, name, strlen(name), built_in[i][1], false, err))
			return ERR_USAGE;
	}
	return 0;
}

/* -- regions ----------------------------------------------------------------------------------- */

enum { ID, NAME, TYPE, PLACE, FILE_NAME, LINE };
static const struct column region_columns[] = {
	{ "id", "", CELL_INTEGER }, { "region", "", CELL_TEXT }, { "type", "", CELL_TEXT },
	{ "place", "", CELL_TEXT }, { "file", "", CELL_TEXT },	 { "line_start", "", CELL_INTEGER },
};
static const char regions[] =
	"SELECT region_id, region, type, CASE WHEN line_start THEN file || ':' || line_start "
	"ELSE '-' END, file, line_start "
	"FROM summary "
	"WHERE experiment = ?1 AND (?2 IS NULL OR instr(?2, ',' || type || ',')) "
	"AND (?3 IS NULL OR unit = ?3) "
	"GROUP BY region_id "
	"ORDER BY sum(excl_ns) DESC, region_id";

static const struct column pu_columns[] = { { "id", "", CELL_INTEGER },
					    { "process", "", CELL_INTEGER },
					    { "thread", "", CELL_INTEGER } };
static const char pus[] =
	"SELECT id, process, thread "
	"FROM processing_unit "
	"WHERE experiment = ?1 AND (?2 < 0 OR (process = ?2 AND thread = ?3)) "
	"ORDER BY process, thread";

/* Whether a row has every variable of a ratio. */
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
	uint32_t i = map_get(&m->by_region_and_pu, table_cell(region, r, ID)->integer,
			     table_cell(pu, u, 0)->integer);
	return i == MAP_NONE ? NULL : m->row.at[i].value;
}

static double over_pus(const struct ratios *r, const struct ratio *ratio,
		       const struct table *region, size_t row, const struct table *pu,
		       double *sum)
{
	for (size_t v = 0; v < r->measures.variable.n; v++)
		sum[v] = NAN;
	for (size_t u = 0; u < table_rows(pu); u++) {
		const double *value = values_of(&r->measures, region, row, pu, u);
		if (value && has_all(ratio, value))
			measures_add(&r->measures, sum, value);
	}
	return expr_value(&ratio->expr, sum);
}

static void add_value(struct table *table, double value)
{
	if (isnan(value))
		table_null(table);
	else
		table_real(table, value);
}

/* -- printing ---------------------------------------------------------------------------------- */

static void find_shown(struct ratios *r)
{
	for (size_t i = 0; i < r->ratio.n; i++)
		for (size_t k = 0; !r->ratio.at[i].shown && k < r->measures.row.n; k++)
			r->ratio.at[i].shown = !isnan(
				expr_value(&r->ratio.at[i].expr, r->measures.row.at[k].value));
}

static void print_text(struct ratios *r, const struct table *region, const struct table *pu)
{
	struct table table;
	struct column *column = mem_alloc(r->ratio.n + 3, sizeof *column);
	double *sum = mem_alloc(r->measures.variable.n + 1, sizeof *sum);
	size_t columns = 3;
	memcpy(column, &region_columns[NAME], 3 * sizeof *column);
	for (int i = 0; i < 3; i++)
		column[i].title = column[i].key;
	for (size_t i = 0; i < r->ratio.n; i++)
		if (r->ratio.at[i].shown)
			column[columns++] = (struct column){ r->ratio.at[i].name,
							     r->ratio.at[i].name, CELL_REAL };
	table_init(&table, column, columns);
	for (size_t row = 0; row < table_rows(region); row++) {
		for (int i = NAME; i <= PLACE; i++)
			table_text(&table, table_cell(region, row, i)->text);
		for (size_t i = 0; i < r->ratio.n; i++)
			if (r->ratio.at[i].shown)
				add_value(&table,
					  over_pus(r, &r->ratio.at[i], region, row, pu, sum));
	}
	table_print(&table, FORMAT_TEXT, stdout);
	table_release(&table);
	free(column);
	free(sum);
}

static const struct column row_columns[] = {
	{ "region", NULL, CELL_TEXT },	   { "type", NULL, CELL_TEXT },
	{ "file", NULL, CELL_TEXT },	   { "line_start", NULL, CELL_INTEGER },
	{ "process", NULL, CELL_INTEGER }, { "thread", NULL, CELL_INTEGER },
	{ "ratio", NULL, CELL_TEXT },	   { "value", NULL, CELL_REAL },
};

static void add_rows(struct table *table, const struct ratios *r, const struct table *region,
		     size_t row, const struct table *pu, size_t u)
{
	const double *value = values_of(&r->measures, region, row, pu, u);
	for (size_t i = 0; value && i < r->ratio.n; i++) {
		double v = r->ratio.at[i].shown ? expr_value(&r->ratio.at[i].expr, value) : NAN;
		if (isnan(v) && !r->ratio.at[i].defined)
			continue;
		table_text(table, table_cell(region, row, NAME)->text);
		table_text(table, table_cell(region, row, TYPE)->text);
		table_text(table, table_cell(region, row, FILE_NAME)->text);
		table_integer(table, table_cell(region, row, LINE)->integer);
		table_integer(table, table_cell(pu, u, 1)->integer);
		table_integer(table, table_cell(pu, u, 2)->integer);
		table_text(table, r->ratio.at[i].name);
		add_value(table, v);
	}
}

static void print_rows(const struct ratios *r, const struct table *region, const struct table *pu,
		       enum format format)
{
	struct table table;
	table_init(&table, row_columns, sizeof row_columns / sizeof *row_columns);
	for (size_t row = 0; row < table_rows(region); row++)
		for (size_t u = 0; u < table_rows(pu); u++)
			add_rows(&table, r, region, row, pu, u);
	table_print(&table, format, stdout);
	table_release(&table);
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

struct asked { char *types; const char *function; int64_t process, thread; };

static int print(struct context *c, struct ratios *r, int64_t id, const struct asked *a,
		 struct err *err)
{
	struct table region, pu;
	table_init(&region, region_columns, sizeof region_columns / sizeof *region_columns);
	table_init(&pu, pu_columns, 3);
	int rc = repo_fill(c->repo, &region, err, regions, "itt", id, a->types, a->function);
	rc = rc ? rc : repo_fill(c->repo, &pu, err, pus, "iii", id, a->process, a->thread);
	rc = rc ? rc : measures_load(&r->measures, c->repo, id, err);
	if (rc == 0)
		find_shown(r);
	if (rc == 0 && c->format != FORMAT_TEXT) {
		print_rows(r, &region, &pu, c->format);
	} else if (rc == 0) {
		print_text(r, &region, &pu);
		print_missing(r);
	}
	table_release(&region);
	table_release(&pu);
	return rc;
}

static int run(struct context *c, struct err *err)
{
	int64_t id;
	struct ratios r = { 0 };
	struct asked a = { .function = cli_get(&c->cli, "--unit") };
	int rc = make_ratios(&r, &c->cli, err);
	rc = rc ? rc : select_types(&c->cli, "ratio", &a.types, err);
	rc = rc ? rc : select_pu(&c->cli, "ratio", &a.process, &a.thread, err);
	rc = rc ? rc : context_experiment(c, &id, err);
	rc = rc ? rc : print(c, &r, id, &a, err);
	for (size_t i = 0; i < r.ratio.n; i++) {
		free(r.ratio.at[i].name);
		expr_release(&r.ratio.at[i].expr);
	}
	vec_free(&r.ratio);
	measures_release(&r.measures);
	free(a.types);
	return rc;
}

const struct command cmd_ratio = {
	"ratio",
	"[EXP] [--define 'NAME=EXPR'] [--type T] [--unit U] [--pu P.T]",
	"Show ratios of metrics, built in and your own",
	"EXPR has metrics (WTIME, CALLS, TOT_CYC, PAPI(event)), overheads (OSYNC), numbers,\n"
	"+ - * / ( ), min(a, b) and max(a, b). Times are in seconds and include what a region\n"
	"calls. Beside metrics and overheads there are\n"
	"  EXCL    wall time without that of the regions called\n"
	"  USEFUL  the part of EXCL that is no overhead\n"
	"  P       processing units of the experiment\n"
	"  T_P     wall time of the experiment\n"
	"The text table shows the ratio of the sums over the processing units; --json and --csv\n"
	"give it for each one. A division by zero and a metric that was not measured have no\n"
	"value: - or null.\n"
	"Built in:\n"
#define SIS_RATIO(name, expression, description) "  " #name " = " expression ": " description "\n"
#include "ratios.def"
#undef SIS_RATIO
	"Example: sis-analyze ratio --define 'WAIT_PER_CALL = OSYNC / CALLS' --type CR_MPI",
	options,
	1,
	run,
};
