/* SPDX-License-Identifier: BSD-3-Clause */
/* experiment_argument.c - finds the experiments that arguments name, and imports directories. Owns
 * the open repository of the command. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/escape.h"
#include "commands/command.h"
#include "repository/import/import.h"
#include "repository/import/run_directory.h"
#include "repository/database/stored_check.h"
#include "repository/store/json_read.h"
#include "repository/store/xml_read.h"

int context_open(struct context *c, enum repo_mode mode, struct err *err)
{
	return c->repo ? 0 : repo_open(&c->repo, c->db, mode, err);
}

int context_import(struct context *c, const char *directory, const struct store_options *options,
		   int64_t *id, struct err *err)
{
	char path[PATH_MAX];
	struct store_options all = *options;
	all.is_own_run = c->is_own_run;
	if (!realpath(directory, path))
		return err_fail(err, "cannot open experiment '%s': %s; `sis-analyze list` shows "
				"what is in the repository", directory, strerror(errno));
	return context_open(c, REPO_WRITE, err) ? ERR_FAILED :
						  import_run(c->repo, path, &all, id, err);
}

/* Decides about a run that is found in the working directory although the user named a repository.
 * The run is imported only if the repository has it, but not completely. Otherwise *directory
 * becomes NULL, because the user did not ask for this run. */
static int drop_foreign(struct context *c, const struct run_header *run, char **directory,
			struct err *err)
{
	int64_t complete = 0;
	if (context_open(c, REPO_READ, err))
		return ERR_FAILED;
	int found = repo_number(c->repo, &complete, err,
				"SELECT complete FROM experiment WHERE run_id = ?", "t",
				run->run_id);
	if (found == 1 && !complete) {
		repo_close(c->repo); /* it will be opened again for writing */
		c->repo = NULL;
	} else {
		free(*directory);
		*directory = NULL;
	}
	return found < 0 ? ERR_FAILED : 0;
}

static int newest_experiment(struct context *c, int64_t *id, struct err *err)
{
	struct run_header run = { .started_ns = 0 };
	int64_t started = 0;
	char *directory = run_directory_newest(&run);
	bool named = cli_get(&c->cli, "--db");
	int rc = directory && named ? drop_foreign(c, &run, &directory, err) : 0;
	rc = rc ? rc : context_open(c, directory ? REPO_WRITE : REPO_READ, err);
	if (rc == 0)
		rc = repo_number(c->repo, &started, err, "SELECT max(started_ns) FROM experiment",
				 "");
	if (rc >= 0 && directory && (rc == 0 || (int64_t)run.started_ns >= started)) {
		const struct store_options options = { .role = "par" };
		rc = context_import(c, directory, &options, id, err);
	} else if (rc == 1) {
		rc = repo_number(
			c->repo, id, err,
			"SELECT id FROM experiment ORDER BY started_ns DESC, id DESC LIMIT 1", "");
		rc = rc < 0 ? rc : 0;
	} else if (rc == 0 && named) {
		rc = err_fail(err, "no experiment in '%s'; name the directory of a run, which is "
			      "imported then", c->db);
	} else if (rc == 0) {
		rc = err_fail(err, "no experiment: neither a directory here nor anything in '%s'; "
			      "run a program built with sisc, or name its directory", c->db);
	}
	free(directory);
	return rc;
}

int context_find(struct context *c, const char *name, int64_t *id, struct err *err)
{
	struct stat st;
	bool is_there = stat(name, &st) == 0 &&
		(S_ISDIR(st.st_mode) || xml_is_experiment(name) || json_begins(name));
	if (context_open(c, is_there ? REPO_WRITE : REPO_READ, err))
		return ERR_FAILED;
	bool is_number = name[0] && !name[strspn(name, "0123456789")] && strlen(name) < 18;
	int found = repo_number(c->repo, id, err,
				"SELECT id "
				"FROM experiment "
				"WHERE name = ?1 OR (?2 AND id = ?1) "
				"ORDER BY name = ?1 DESC LIMIT 1",
				"ti", name, (int64_t)is_number);
	if (found != 0)
		return found < 0 ? found : 0;
	const struct store_options options = { .role = "par" };
	if (is_there)
		return context_import(c, name, &options, id, err);
	return err_fail(err, "no experiment '%s': no id, no name, no directory and no export; "
			"`sis-analyze list` shows what there is", name);
}

int context_named(struct context *c, const char *name, int64_t *id, struct err *err)
{
	static const struct store_options options = { .role = "par" };
	struct run_header run;
	/* A number is an id, even if a directory has that name. */
	bool is_number = !name[strspn(name, "0123456789")];
	int rc = !is_number && run_directory_peek(name, &run) ?
		context_import(c, name, &options, id, err) :
		context_find(c, name, id, err);
	return rc || stored_check(c->repo, *id, err) ? ERR_FAILED : 0;
}

int context_nth(struct context *c, size_t k, int64_t *id, struct err *err)
{
	return context_named(c, c->cli.argument.at[k], id, err);
}

int context_references(struct context *c, int64_t *seq, int64_t *par1, struct err *err)
{
	const char *of_seq = cli_get(&c->cli, "--seq"), *of_par1 = cli_get(&c->cli, "--par1");
	*seq = *par1 = 0;
	if ((of_seq && context_named(c, of_seq, seq, err)) ||
	    (of_par1 && context_named(c, of_par1, par1, err)))
		return ERR_FAILED;
	return 0;
}

/* Prints which experiment is shown, if there are others. */
static int print_newest(void *arg, const struct cell *row, struct err *err)
{
	(void)arg, (void)err;
	escape_line(stderr, "sis-analyze: %s, the newest of %lld experiments", row[0].text,
		    (long long)row[1].integer);
	return 0;
}

int context_experiment(struct context *c, int64_t *id, struct err *err)
{
	if (c->cli.argument.n)
		return context_nth(c, 0, id, err);
	if (newest_experiment(c, id, err) || stored_check(c->repo, *id, err))
		return ERR_FAILED;
	if (c->format != FORMAT_TEXT)
		return 0;
	return repo_each(c->repo, print_newest, NULL, err,
			 "SELECT e.name, n.n FROM experiment e, "
			 "(SELECT count(*) AS n FROM experiment) n WHERE e.id = ? AND n.n > 1", "i",
			 *id);
}
