/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_list.c - `sis-analyze list`: the experiments of the repository. */
#include "commands/table_view.h"

static const struct cli_option options[] = { SHAPE_OPTIONS, { NULL, NULL, NULL } };

static const struct column columns[] = {
	{ "id", "id", CELL_INTEGER },	     { "name", "name", CELL_TEXT },
	{ "program", "program", CELL_TEXT }, { "role", "role", CELL_TEXT },
	{ "p", "p", CELL_INTEGER },	     { "t_p", "T_p [s]", CELL_SECONDS },
	{ "started", "started", CELL_TEXT }, { "complete", "complete", CELL_BOOL },
};

static int run(struct context *c, struct err *err)
{
	struct table table;
	table_init(&table, columns, sizeof columns / sizeof *columns);
	int rc = context_open(c, REPO_READ, err);
	if (rc == 0)
		rc = repo_fill(
			c->repo, &table, err,
			"SELECT id, name, program, role, p, t_p_ns, "
			"strftime('%Y-%m-%dT%H:%M:%SZ', started_ns / 1000000000, 'unixepoch'), "
			"complete "
			"FROM experiment "
			"ORDER BY id",
			"");
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
	run,
};
