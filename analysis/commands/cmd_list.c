/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_list.c - `sis-analyze list`: lists the experiments of the repository. */
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "commands/table_view.h"

static const struct cli_option options[] = { SHAPE_OPTIONS, { NULL, NULL, NULL } };

static const struct column columns[] = {
	{ "id", "id", CELL_INTEGER },
	{ "name", "name", CELL_TEXT },
	{ "program", NULL, CELL_TEXT },
	{ "role", "role", CELL_TEXT },
	{ "p", "p", CELL_INTEGER },
	{ "t_p", "T_p [s]", CELL_SECONDS },
	{ "started", "started", CELL_TEXT },
	{ "complete", "complete", CELL_BOOL },
	{ "command", "command", CELL_TEXT },
	{ "dir", NULL, CELL_TEXT },
	{ NULL, "directory", CELL_TEXT },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static const char experiments[] =
	"SELECT id, name, program, role, p, t_p_ns, "
	"strftime('%Y-%m-%dT%H:%M:%SZ', started_ns / 1000000000, 'unixepoch'), complete, command, "
	"directory, directory "
	"FROM experiment "
	"ORDER BY id";

static int run_list(struct context *c, struct err *err)
{
	struct table table;
	table_init(&table, columns, COLUMNS);
	int rc = context_open(c, REPO_READ, err);
	rc = rc ? rc : repo_fill(c->repo, &table, err, experiments, "");
	/* In text, directories below the working directory are shown relative to it. */
	char here[PATH_MAX];
	size_t n = getcwd(here, sizeof here) ? strlen(here) : 0;
	for (size_t i = 0; rc == 0 && n > 1 && i < table_rows(&table); i++) {
		struct cell *cell = table_cell(&table, i, COLUMNS - 1);
		if (strncmp(cell->text, here, n) != 0 || cell->text[n] != '/')
			continue;
		char *name = mem_string(cell->text + n + 1);
		cell_release(cell);
		*cell = (struct cell){ .kind = CELL_TEXT, .text = name };
	}
	rc = rc ? rc : shape_print(c, &table, "list", err);
	table_release(&table);
	return rc;
}

const struct command cmd_list = {
	"list",
	"",
	"List the experiments in the repository",
	"Example: sis-analyze list --filter role=seq",
	options,
	0,
	run_list,
};
