/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_rm.c - `sis-analyze rm`: removes experiments from the repository; their directories stay. */
#include <stdlib.h>

#include "commands/command.h"

static const struct column columns[] = { { "id", "id", CELL_INTEGER },
					 { "name", "name", CELL_TEXT } };

/* All names are looked up before the first experiment is removed, so if a name is wrong, nothing is
 * removed. */
static int run_rm(struct context *c, struct err *err)
{
	struct table table;
	size_t n = c->cli.argument.n;
	if (!n)
		return err_usage(err, "rm: no experiments; usage: sis-analyze rm EXP...");
	int64_t rows = 0, *id = mem_alloc(n, sizeof *id);
	table_init(&table, columns, 2);
	int rc = context_open(c, REPO_WRITE, err);
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = context_find(c, c->cli.argument.at[i], &id[i], err);
	rc = rc ? rc : repo_begin(c->repo, err);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		rc = repo_fill(c->repo, &table, err, "SELECT id, name FROM experiment WHERE id = ?",
			       "i", id[i]);
		rc = rc ? rc : store_remove(c->repo, id[i], err);
	}
	rc = rc ? rc : store_sweep(c->repo, &rows, err);
	rc = rc ? rc : repo_commit(c->repo, err);
	if (rc == 0)
		table_print(&table, c->format, stdout);
	table_release(&table);
	free(id);
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
	run_rm,
};
