/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_sql.c - `sis-analyze sql`: reads the repository with a statement of the user. */
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "commands/table_view.h"

static const struct cli_option options[] = { SHAPE_OPTIONS, { NULL, NULL, NULL } };

/* Prints statements with their lines and comments. */
static void print_schema(const struct table *table)
{
	for (size_t i = 0; i < table_rows(table); i++) {
		char *save, *text = mem_string(table_cell(table, i, 0)->text);
		char *line = strtok_r(text, "\n", &save);
		for (; line; line = strtok_r(NULL, "\n", &save)) {
			escape_put(line, SIS_ESCAPE_LINE, stdout);
			putchar('\n');
		}
		free(text);
	}
}

/* A column of a query has no kind of its own: it gets that of its first value, for conditions. */
static void find_kinds(const struct table *table, struct column *columns)
{
	for (size_t c = 0; c < table->columns; c++)
		for (size_t r = 0; r < table_rows(table) && columns[c].kind == CELL_NULL; r++)
			columns[c].kind = table_cell(table, r, c)->kind;
}

/* Applies --filter, --sort and --top; the columns are printed as they are without. */
static int shape(struct context *c, struct table *table, struct err *err)
{
	struct column *kinds = mem_alloc(table->columns + 1, sizeof *kinds);
	const struct column *columns = table->column;
	memcpy(kinds, columns, table->columns * sizeof *kinds);
	find_kinds(table, kinds);
	table->column = kinds;
	int rc = shape_table(table, &c->cli, "sql", err);
	table->column = columns;
	free(kinds);
	return rc;
}

static int run(struct context *c, struct err *err)
{
	struct table table;
	struct column *columns;
	if (!c->cli.argument.n)
		return err_usage(err, "sql: no query; usage: sis-analyze sql 'SELECT ...'");
	if (context_open(c, REPO_READ, err))
		return ERR_FAILED;
	const char *query = c->cli.argument.at[0];
	bool schema = strcmp(query, ".schema") == 0;
	if (strcmp(query, ".tables") == 0)
		query = "SELECT type, name "
			"FROM sqlite_schema "
			"WHERE type IN ('table', 'view') "
			"ORDER BY type, name";
	else if (schema)
		query = "SELECT sql "
			"FROM sqlite_schema "
			"WHERE type IN ('table', 'view') "
			"ORDER BY type, name";
	int rc = repo_ask(c->repo, &table, &columns, query, err);
	rc = rc || !shape_is_given(&c->cli) ? rc : shape(c, &table, err);
	if (rc == 0 && schema && c->format == FORMAT_TEXT)
		print_schema(&table);
	else if (rc == 0)
		table_print(&table, c->format, stdout);
	size_t n = table.columns;
	table_release(&table);
	repo_free_columns(columns, n);
	return rc;
}

const struct command cmd_sql = {
	"sql",
	"QUERY",
	"Ask the repository in SQL, read-only",
	"`.tables` lists tables and views, `.schema` shows them with the meaning of each column.\n"
	"Times are in nanoseconds.\n"
	"Example: sis-analyze sql 'SELECT overhead, ns FROM overhead_tree WHERE experiment = 1'",
	options,
	1,
	run,
};
