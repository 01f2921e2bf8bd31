/* SPDX-License-Identifier: BSD-3-Clause */
/* scaling_table.c - see scaling_table.h. Owns nothing; one thread. This is POP's table. It has a
 * column for each run, and shows which factor falls as runs get larger. */
#include "commands/scaling_table.h"

#include <math.h>
#include <stdlib.h>

#include "base/escape.h"
#include "commands/table_view.h"
#include "answers/query/efficiency.h"

const struct column scaling_columns[SCALING_COLUMNS] = {
	{ "set", "set", CELL_TEXT },	 { "experiment", "experiment", CELL_TEXT },
	{ "p", "p", CELL_INTEGER },	 { "factor", "factor", CELL_TEXT },
	{ "value", "value", CELL_REAL }, { "missing", "missing", CELL_TEXT },
	{ "base", "base", CELL_TEXT },
};

static void factor_cell(struct table *table, double value, bool known)
{
	if (known)
		table_factor(table, value);
	else
		table_null(table);
}

static bool is_scaling(int i)
{
	return i == EFFICIENCY_INSTRUCTIONS || i == EFFICIENCY_IPC || i == EFFICIENCY_FREQUENCY;
}

static void add_row(struct table *rows, const struct run *run, const char *key, double value,
		    bool known, const char *missing, const char *base)
{
	table_text(rows, run->set), table_text(rows, run->name), table_integer(rows, run->p),
		table_text(rows, key);
	table_real_or_null(rows, known ? value : NAN);
	table_text(rows, known ? NULL : missing);
	table_text(rows, base);
}

/* Whether a factor has a line, because a run has a value. Factors that need counters always have a
 * line, because a text says why their values are missing. */
static bool is_shown(const struct efficiencies *e, size_t n, int i)
{
	for (size_t k = 0; k < n; k++)
		if (e[k].value[i] >= 0)
			return true;
	return is_scaling(i);
}

static void add_lines(struct table *table, const struct run *run, const struct efficiencies *e,
		      size_t n)
{
	table_text(table, "p"), table_text(table, "processing units");
	for (size_t k = 0; k < n; k++)
		table_integer(table, run[k].p);
	table_text(table, "t_p"), table_text(table, "T_p [s]");
	for (size_t k = 0; k < n; k++)
		table_seconds(table, run[k].t_p_ns);
	for (int i = 0; i < EFFICIENCIES; i++) {
		if (!is_shown(e, n, i))
			continue;
		char *title = mem_print("%*s%s", 2 * efficiency_depth(i), "", efficiency_title(i));
		table_text(table, efficiency_key(i)), table_text(table, title);
		for (size_t k = 0; k < n; k++)
			if (e[k].value[i] >= 0)
				table_share(table, e[k].value[i]);
			else
				table_null(table);
		free(title);
	}
	table_text(table, "ipc"), table_text(table, "instructions a cycle");
	for (size_t k = 0; k < n; k++)
		factor_cell(table, e[k].ipc, e[k].ipc > 0);
	table_text(table, "ghz"), table_text(table, "GHz");
	for (size_t k = 0; k < n; k++)
		factor_cell(table, e[k].ghz, e[k].ipc > 0);
}

/* Titles of columns are the names of experiments. Users of --sort and --filter name a column by its
 * key, as in --json. */
static int print_side_by_side(struct context *c, const struct run *run,
			      const struct efficiencies *e, size_t n, const char *base,
			      struct err *err)
{
	struct table table;
	struct column *column = mem_alloc(n + 2, sizeof *column);
	char *title = mem_print("%s%sagainst %s", run->set, *run->set ? ": " : "", base);
	column[0] = (struct column){ "factor", NULL, CELL_TEXT };
	column[1] = (struct column){ NULL, title, CELL_TEXT };
	for (size_t k = 0; k < n; k++)
		column[k + 2] = (struct column){ "value", run[k].name, CELL_REAL };
	table_init(&table, column, n + 2);
	add_lines(&table, run, e, n);
	int rc = shape_print(c, &table, "speedup", err);
	for (size_t k = 0; rc == 0 && k < n; k++)
		if (e[k].missing)
			escape_line(stdout, "%s: computation scaling is not divided into its "
				    "factors: %s",
				    run[k].name, e[k].missing);
	table_release(&table);
	free(title);
	free(column);
	return rc;
}

int scaling_table(struct context *c, const struct run *run, size_t n, enum base_kind kind,
		  bool weak, struct table *rows, struct err *err)
{
	int rc = 0;
	struct efficiencies *e = mem_alloc(n, sizeof *e);
	int64_t *id = mem_alloc(n, sizeof *id);
	size_t ids = base_ids(run, n, kind, id);
	char *base = base_name(run, n, kind);
	for (size_t k = 0; k < n && rc == 0; k++) {
		double times = weak ? (double)run[k].p / (double)run[0].p : 1;
		rc = efficiencies_load(&e[k], c->repo, run[k].id, run[k].t_p_ns,
				       (struct efficiency_base){ id[0], times, id, ids }, err);
	}
	for (size_t k = 0; k < n && rc == 0; k++) {
		const struct efficiencies *of = &e[k];
		for (int i = 0; i < EFFICIENCIES; i++)
			add_row(rows, &run[k], efficiency_key(i), of->value[i], of->value[i] >= 0,
				is_scaling(i) ? of->missing : NULL, base);
		add_row(rows, &run[k], "ipc", of->ipc, of->ipc > 0, of->missing, base);
		add_row(rows, &run[k], "ghz", of->ghz, of->ipc > 0, of->missing, base);
	}
	if (rc == 0 && c->format == FORMAT_TEXT)
		rc = print_side_by_side(c, run, e, n, base, err);
	for (size_t k = 0; k < n; k++)
		efficiencies_release(&e[k]);
	free(e), free(id), free(base);
	return rc;
}
