/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_merge.c - `sis-analyze merge`: adds the experiments of another repository to this one. */
#include "commands/command.h"
#include "repository/store/merge.h"

static int run_merge(struct context *c, struct err *err)
{
	struct table table;
	if (!c->cli.argument.n)
		return err_usage(err, "merge: no repository; usage: sis-analyze merge OTHER.db");
	if (context_open(c, REPO_WRITE, err) || repo_attach(c->repo, c->cli.argument.at[0], err))
		return ERR_FAILED;
	table_init(&table, merge_columns, MERGE_COLUMNS);
	int rc = merge_other(c->repo, &table, err);
	if (rc == 0)
		table_print(&table, c->format, stdout);
	table_release(&table);
	return rc;
}

const struct command cmd_merge = {
	"merge",
	"OTHER.db",
	"Take the experiments of another repository into this one",
	"Runs that are here already stay as they are; one that is incomplete here and complete\n"
	"there is replaced. An experiment whose name is taken gets a number. All experiments\n"
	"are taken, or none; the other repository is only read.\n"
	"Example: sis-analyze merge colleague.db --db team.db",
	NULL,
	1,
	run_merge,
};
