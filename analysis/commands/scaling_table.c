/* SPDX-License-Identifier: BSD-3-Clause */
/* scaling_table.c - see scaling_table.h. Owns nothing; one thread. POP's table, with a column for
 * each run, shows which factor falls as the runs get larger. */
#include "commands/scaling_table.h"

#include <stdlib.h>

#include "base/escape.h"
#include "query/efficiency.h"

const struct column scaling_columns[SCALING_COLUMNS] = {
	{ "set", "set", CELL_TEXT },	 { "experiment", "experiment", CELL_TEXT },
	{ "p", "p", CELL_INTEGER },	 { "factor", "factor", CELL_TEXT },
	{ "value", "value", CELL_REAL }, { "missing", "missing", CELL_TEXT },
};

static void value_cell(struct table *table, double value, bool known)
{
	if (known)
		table_real(table, value);
	else
		table_null(table);
}

static bool is_scaling(int i)
{
	return i == EFFICIENCY_INSTRUCTIONS || i == EFFICIENCY_IPC || i == EFFICIENCY_FREQUENCY;
}

static void add_row(struct table *rows, const struct run *run, const char *key, double value,
		    bool known, const char *missing)
{
	table_text(rows, run->set), table_text(rows, run->name), table_integer(rows, run->p),
		table_text(rows, key);
	value_cell(rows, value, known);
	table_text(rows, known ? NULL : missing);
}

static void add_rows(struct table *rows, const struct run *run, const struct efficiencies *e)
{
	for (int i = 0; i < EFFICIENCIES; i++)
		add_row(rows, run, efficiency_key(i), e->value[i], e->value[i] >= 0,
			is_scaling(i) ? e->missing : NULL);
	add_row(rows, run, "ipc", e->ipc, e->ipc > 0, e->missing);
	add_row(rows, run, "ghz", e->ghz, e->ipc > 0, e->missing);
}

/* Leaves out factors that no run has, except those that counters would give: a text says why they
 * are missing. */
static bool is_shown(const struct efficiencies *e, size_t n, int i)
{
	for (size_t k = 0; k < n; k++)
		if (e[k].value[i] >= 0)
			return true;
	return is_scaling(i);
}

static void add_factor(struct table *table, const struct efficiencies *e, size_t n, int factor)
{
	char *title = mem_print("%*s%s", 2 * efficiency_depth(factor), "",
				efficiency_title(factor));
	table_text(table, title);
	for (size_t k = 0; k < n; k++)
		value_cell(table, e[k].value[factor], e[k].value[factor] >= 0);
	free(title);
}

static void add_lines(struct table *table, const struct run *run, const struct efficiencies *e,
		      size_t n)
{
	table_text(table, "processing units");
	for (size_t k = 0; k < n; k++)
		table_real(table, (double)run[k].p);
	table_text(table, "T_p [s]");
	for (size_t k = 0; k < n; k++)
		table_real(table, (double)run[k].t_p_ns / 1e9);
	for (int i = 0; i < EFFICIENCIES; i++)
		if (is_shown(e, n, i))
			add_factor(table, e, n, i);
	table_text(table, "instructions a cycle");
	for (size_t k = 0; k < n; k++)
		value_cell(table, e[k].ipc, e[k].ipc > 0);
	table_text(table, "GHz");
	for (size_t k = 0; k < n; k++)
		value_cell(table, e[k].ghz, e[k].ipc > 0);
}

static void print_side_by_side(const struct run *run, const struct efficiencies *e, size_t n)
{
	struct table table;
	struct column *column = mem_alloc(n + 1, sizeof *column);
	column[0] = (struct column){ "factor", *run->set ? run->set : "against the first",
				     CELL_TEXT };
	for (size_t k = 0; k < n; k++)
		column[k + 1] = (struct column){ run[k].name, run[k].name, CELL_REAL };
	table_init(&table, column, n + 1);
	add_lines(&table, run, e, n);
	table_print(&table, FORMAT_TEXT, stdout);
	for (size_t k = 0; k < n; k++)
		if (e[k].missing)
			escape_line(stdout, "%s: computation scaling is not taken apart: %s",
				    run[k].name, e[k].missing);
	table_release(&table);
	free(column);
}

int scaling_table(struct context *c, const struct run *run, size_t n, bool weak, struct table *rows,
		  struct err *err)
{
	int rc = 0;
	struct efficiencies *e = mem_alloc(n, sizeof *e);
	for (size_t k = 0; k < n && rc == 0; k++) {
		double times = weak ? (double)run[k].p / (double)run[0].p : 1;
		rc = efficiencies_load(&e[k], c->repo, run[k].id, run[k].t_p_ns,
				       (struct efficiency_base){ run[0].id, times }, err);
	}
	for (size_t k = 0; k < n && rc == 0; k++)
		add_rows(rows, &run[k], &e[k]);
	if (rc == 0 && c->format == FORMAT_TEXT)
		print_side_by_side(run, e, n);
	for (size_t k = 0; k < n; k++)
		efficiencies_release(&e[k]);
	free(e);
	return rc;
}
