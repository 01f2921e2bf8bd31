/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_import.c - `sis-analyze import`: stores directories and exported files in the repository. */
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"

static const struct cli_option options[] = {
	{ "--name", "NAME",
	  "its name in the repository (default: the directory's name, if SIS_OUTPUT gave one; "
	  "else program and number)" },
	{ "--role", "ROLE",
	  "seq, par1 or par: the sequential run, the parallel version on one processing unit, any "
	  "other run (default)" },
	{ "--set", "KEY=VALUE", "a fact to keep with it; may be given several times" },
	{ "--routines", "FILE",
	  "what routines do with memory, for sis-analyze blame, and which ones redistribute data: "
	  "rows as in routines.txt; may be given several times" },
	{ NULL, NULL, NULL },
};

static const struct column columns[] = {
	{ "id", "id", CELL_INTEGER },
	{ "name", "name", CELL_TEXT },
	{ "dir", "directory", CELL_TEXT },
	{ "complete", "complete", CELL_BOOL },
};

static int set_facts(struct context *c, int64_t id, const struct store_options *o, struct err *err)
{
	if (o->name &&
	    repo_run(c->repo, err, "UPDATE OR FAIL experiment SET name = ? WHERE id = ?", "ti",
		     o->name, id))
		return ERR_FAILED;
	if (cli_get(&c->cli, "--role") &&
	    repo_run(c->repo, err, "UPDATE experiment SET role = ? WHERE id = ?", "ti", o->role,
		     id))
		return ERR_FAILED;
	for (const char *const *fact = o->fact; *fact; fact++) {
		char *key = mem_print("%.*s", (int)(strchr(*fact, '=') - *fact), *fact);
		int rc = repo_run(c->repo, err,
				  "INSERT OR REPLACE INTO experiment_fact VALUES (?, ?, ?)", "itt",
				  id, key, strchr(*fact, '=') + 1);
		/* With --set application=NAME, programs of different names that solve the same
		 * problem become versions of one application. */
		if (rc == 0 && strcmp(key, "application") == 0) {
			const char *name = strchr(*fact, '=') + 1;
			rc = repo_run(c->repo, err,
				      "INSERT OR IGNORE INTO application (name) VALUES (?)", "t",
				      name);
			rc = rc ? rc : repo_run(
				c->repo, err,
				"UPDATE OR IGNORE version "
				"SET application = (SELECT id FROM application WHERE name = ?) "
				"WHERE id = (SELECT version FROM experiment WHERE id = ?)",
				"ti", name, id);
		}
		free(key);
		if (rc)
			return rc;
	}
	return 0;
}

/* If a run is imported again with another name, role or fact, the stored run gets these. */
static int import_all(struct context *c, const struct store_options *o, struct table *table,
		      struct err *err)
{
	bool changes = o->name || cli_get(&c->cli, "--role") || *o->fact;
	for (size_t i = 0; i < c->cli.argument.n; i++) {
		int64_t id;
		if (context_import(c, c->cli.argument.at[i], o, &id, err) ||
		    (changes && (repo_begin(c->repo, err) || set_facts(c, id, o, err) ||
				 repo_commit(c->repo, err))) ||
		    repo_fill(c->repo, table, err,
			      "SELECT id, name, directory, complete FROM experiment WHERE id = ?",
			      "i", id))
			return ERR_FAILED;
	}
	return 0;
}

static int run_import(struct context *c, struct err *err)
{
	struct routines *routines = NULL;
	VEC(const char *) fact = { 0 };
	const char *role = cli_get(&c->cli, "--role");
	struct store_options o = { .name = cli_get(&c->cli, "--name"),
				   .role = role ? role : "par" };
	if (!c->cli.argument.n)
		return err_usage(err, "import: no directory; usage: sis-analyze import DIR...");
	if (o.name && c->cli.argument.n > 1)
		return err_usage(err, "import: --name with several directories; import them one by "
				 "one");
	int rc = 0;
	if (strcmp(o.role, "seq") != 0 && strcmp(o.role, "par1") != 0 && strcmp(o.role, "par") != 0)
		rc = err_usage(err, "import: unknown role '%s'; use seq, par1 or par", o.role);
	for (size_t k = 0; rc == 0 && cli_nth(&c->cli, "--set", k); k++) {
		*vec_push(&fact) = cli_nth(&c->cli, "--set", k);
		if (!strchr(cli_nth(&c->cli, "--set", k), '='))
			rc = err_usage(err, "import: --set '%s' has no '='; write --set KEY=VALUE",
				       cli_nth(&c->cli, "--set", k));
	}
	*vec_push(&fact) = NULL;
	o.fact = fact.at;
	const char *path;
	for (size_t k = 0; rc == 0 && (path = cli_nth(&c->cli, "--routines", k)); k++) {
		routines = routines ? routines : routines_new();
		rc = routines_add_file(routines, path, err);
	}
	o.routines = routines;
	struct table table;
	table_init(&table, columns, sizeof columns / sizeof *columns);
	rc = rc ? rc : import_all(c, &o, &table, err);
	if (rc == 0)
		table_print(&table, c->format, stdout);
	table_release(&table);
	vec_free(&fact);
	routines_free(routines);
	return rc;
}

const struct command cmd_import = {
	"import",
	"DIR|FILE.xml|FILE.json... [--name N] [--role seq|par1|par] [--set K=V] "
	"[--routines FILE]",
	"Take experiments into the repository",
	"Reads a directory that a run has left, or a file of `sis-analyze export --format xml`\n"
	"or json.\n"
	"A run that is there already is not stored twice; one that was incomplete is read\n"
	"again. A sequential run (--role seq) is compared with the other runs of its\n"
	"application: those of the same program name, or of the same --set application=NAME.\n"
	"A row of --routines says what a call does: 'fill: *1 <- 2' that it computes the memory\n"
	"of its first argument from the second. 'shuffle: redistributes' says that its time is\n"
	"OCTRL_REDIST, where shuffle or its call is a region (sisc --sis-cr=CR_S). routines.txt\n"
	"beside this program's other files has the grammar, and the rows that are built in.\n"
	"Example: sis-analyze import sis-stommel-20261121-101500-4711 --name base --set size=1024",
	options,
	SIZE_MAX,
	run_import,
};
