/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_sql.c - `sis-analyze sql`: prints the result of the user's statement on the repository. */
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "commands/table_view.h"

static const struct cli_option options[] = { SHAPE_OPTIONS, { NULL, NULL, NULL } };

/* Prints the statements of the schema with their line ends and comments. */
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

/* Applies --filter, --sort and --top. Columns of a query have no kind, but conditions need one. So
 * meanwhile, each column has the kind of its first value. */
static int shape(struct context *c, struct table *table, struct err *err)
{
	struct column *kinds = mem_alloc(table->columns + 1, sizeof *kinds);
	const struct column *columns = table->column;
	memcpy(kinds, columns, table->columns * sizeof *kinds);
	for (size_t k = 0; k < table->columns; k++)
		for (size_t r = 0; r < table_rows(table) && kinds[k].kind == CELL_NULL; r++)
			kinds[k].kind = table_cell(table, r, k)->kind;
	table->column = kinds;
	int rc = shape_table(table, &c->cli, "sql", err);
	table->column = columns;
	free(kinds);
	return rc;
}

static int run_sql(struct context *c, struct err *err)
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
	run_sql,
};
