/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_rm.c - `sis-analyze rm`: removes experiments from the repository; their directories stay. */
#include <stdlib.h>

#include "commands/command.h"

static const struct column columns[] = { { "id", "id", CELL_INTEGER },
					 { "name", "name", CELL_TEXT } };

static int remove_one(struct context *c, int64_t id, struct table *table, struct err *err)
{
	return repo_fill(c->repo, table, err, "SELECT id, name FROM experiment WHERE id = ?", "i",
			 id) ||
			store_remove(c->repo, id, err) ?
		ERR_FAILED :
		0;
}

/* All names are looked up before the first is removed, so a wrong name removes nothing. */
static int remove_all(struct context *c, struct table *table, struct err *err)
{
	int64_t rows = 0, *id = mem_alloc(c->cli.argument.n, sizeof *id);
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < c->cli.argument.n; i++)
		rc = context_find(c, c->cli.argument.at[i], &id[i], err);
	rc = rc ? rc : repo_begin(c->repo, err);
	for (size_t i = 0; rc == 0 && i < c->cli.argument.n; i++)
		rc = remove_one(c, id[i], table, err);
	rc = rc ? rc : store_sweep(c->repo, &rows, err);
	rc = rc ? rc : repo_commit(c->repo, err);
	free(id);
	return rc;
}

static int run(struct context *c, struct err *err)
{
	struct table table;
	if (!c->cli.argument.n)
		return err_usage(err, "rm: no experiments; usage: sis-analyze rm EXP...");
	table_init(&table, columns, 2);
	int rc = context_open(c, REPO_WRITE, err);
	rc = rc ? rc : remove_all(c, &table, err);
	if (rc == 0)
		table_print(&table, c->format, stdout);
	table_release(&table);
	return rc;
}

const struct command cmd_rm = {
	"rm",
	"EXP...",
	"Take experiments out of the repository",
	"Removes all of them or, if one cannot be found, none. Their directories are not\n"
	"touched: to name one imports it again. The file keeps its size until `sis-analyze gc`.\n"
	"Example: sis-analyze rm stommel-1 stommel-2",
	NULL,
	SIZE_MAX,
	run,
};
