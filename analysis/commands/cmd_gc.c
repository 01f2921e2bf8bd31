/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_gc.c - `sis-analyze gc`: removes rows that no experiment needs, and makes the repository's
 * file smaller. */
#include <sys/stat.h>

#include "commands/command.h"

static const struct cli_option options[] = {
	{ "--incomplete", NULL, "also experiments of runs that are not complete" },
	{ NULL, NULL, NULL },
};

static const struct column columns[] = {
	{ "experiments", "experiments removed", CELL_INTEGER },
	{ "rows", "unused rows removed", CELL_INTEGER },
	{ "bytes_before", "bytes before", CELL_INTEGER },
	{ "bytes_after", "bytes after", CELL_INTEGER },
};

static int64_t file_size(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 ? (int64_t)st.st_size : 0;
}

static int remove_incomplete(struct context *c, int64_t *removed, struct err *err)
{
	static const struct column column = { "id", "", CELL_INTEGER };
	struct table t;
	table_init(&t, &column, 1);
	int rc = repo_fill(c->repo, &t, err, "SELECT id FROM experiment WHERE NOT complete", "");
	for (size_t i = 0; rc == 0 && i < table_rows(&t); i++, ++*removed)
		rc = store_remove(c->repo, table_cell(&t, i, 0)->integer, err);
	table_release(&t);
	return rc;
}

static int run_gc(struct context *c, struct err *err)
{
	int64_t removed = 0, rows = 0;
	struct table table;
	if (!repo_is_remote(c->db) && !file_size(c->db))
		return err_fail(err, "no repository '%s': nothing to collect; name one with --db",
				c->db);
	if (context_open(c, REPO_WRITE, err))
		return ERR_FAILED;
	int64_t before = file_size(repo_file(c->repo));
	if (repo_begin(c->repo, err) ||
	    (cli_get(&c->cli, "--incomplete") && remove_incomplete(c, &removed, err)) ||
	    store_sweep(c->repo, &rows, err) || repo_commit(c->repo, err) ||
	    repo_compact(c->repo, err))
		return ERR_FAILED;
	table_init(&table, columns, 4);
	table_integer(&table, removed);
	table_integer(&table, rows);
	table_integer(&table, before);
	table_integer(&table, file_size(repo_file(c->repo)));
	table_print(&table, c->format, stdout);
	table_release(&table);
	return 0;
}

const struct command cmd_gc = {
	"gc",
	"[--incomplete]",
	"Remove what no experiment needs, and make the file smaller",
	"Removes versions, regions and machines that no experiment refers to, and gives the\n"
	"space of removed rows back.\n"
	"Example: sis-analyze gc --incomplete",
	options,
	0,
	run_gc,
};
