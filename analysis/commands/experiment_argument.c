/* context.c - finds the experiment that a command is about; directories come into the repository here.
 * Owns the open repository of the one command that runs. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "classify/classify.h"
#include "commands/command.h"
#include "store/merge.h"
#include "query/stored_check.h"
#include "unified.h"
#include "store/xml_read.h"

int context_open(struct context *c, enum repo_mode mode, struct err *err)
{
	return c->repo ? 0 : repo_open(&c->repo, c->db, mode, err);
}

/* -- what a directory holds, by the header of one of its profiles ----------------------------------------- */

struct peek { char run_id[64]; uint64_t started_ns; };

static void take_peek(struct peek *peek, const char *run_id, uint64_t started_ns)
{
	memcpy(peek->run_id, run_id, sizeof peek->run_id);
	peek->run_id[sizeof peek->run_id - 1] = 0;
	peek->started_ns = started_ns;
}

static bool peek_file(const char *path, struct peek *peek)
{
	union { struct sis_profile_header one; struct sis_unified_header all; } h;
	struct err unread = { 0 };
	int fd = file_open(path, NULL, &unread);
	bool read_it = fd >= 0 && read(fd, &h, sizeof h) == (ssize_t)sizeof h;
	if (fd >= 0)
		close(fd);
	if (read_it && memcmp(h.one.magic, SIS_PROFILE_MAGIC, sizeof h.one.magic) == 0)
		take_peek(peek, h.one.run_id, h.one.start.realtime_ns);
	else if (read_it && memcmp(h.all.magic, SIS_UNIFIED_MAGIC, sizeof h.all.magic) == 0)
		take_peek(peek, h.all.run_id, h.all.started_ns);
	else
		return false;
	return true;
}

static bool is_profile_name(const char *name)
{
	size_t length = strlen(name);
	return length > 4 && strcmp(name + length - 4, ".sis") == 0 && strncmp(name, "trace-", 6) != 0;
}

static bool peek_directory(const char *directory, struct peek *peek)
{
	bool found = false;
	DIR *dir = opendir(directory);
	for (struct dirent *entry; dir && !found && (entry = readdir(dir));) {
		if (!is_profile_name(entry->d_name))
			continue;
		char *path = mem_print("%s/%s", directory, entry->d_name);
		found = peek_file(path, peek);
		free(path);
	}
	if (dir)
		closedir(dir);
	return found;
}

/* -- import ---------------------------------------------------------------------------------------------- */

static int read_and_store(struct context *c, const char *directory, const struct store_options *options, int64_t *id,
			  struct err *err)
{
	struct experiment x;
	if (experiment_read(&x, directory, err))
		return ERR_FAILED;
	classify(&x);
	int rc = store_experiment(c->repo, &x, options, id, err);
	experiment_release(&x);
	return rc < 0 ? rc : 0;
}

/* An exported experiment. It comes like another repository's, so a run that is here whole stays as it is. */
static int import_file(struct context *c, const char *path, int64_t *id, struct err *err)
{
	struct table taken;
	table_init(&taken, merge_columns, MERGE_COLUMNS);
	int rc = context_open(c, REPO_WRITE, err);
	rc = rc ? rc : repo_attach_empty(c->repo, err);
	rc = rc ? rc : xml_read(c->repo, path, err);
	rc = rc ? rc : merge_other(c->repo, &taken, err);
	if (rc == 0 && repo_number(c->repo, id, err, "SELECT e.id FROM main.experiment e JOIN other.experiment o "
				   "ON o.run_id = e.run_id", "") < 0)
		rc = ERR_FAILED;
	rc = rc ? rc : repo_detach(c->repo, err);
	table_release(&taken);
	return rc;
}

int context_import(struct context *c, const char *directory, const struct store_options *options, int64_t *id,
		   struct err *err)
{
	char path[PATH_MAX];
	struct peek peek;
	if (!realpath(directory, path))
		return err_fail(err, "cannot open experiment '%s': %s; `sis-analyze list` shows what is in the repository",
				directory, strerror(errno));
	if (xml_is_experiment(path))
		return import_file(c, path, id, err);
	if (context_open(c, REPO_WRITE, err))
		return ERR_FAILED;
	if (peek_directory(path, &peek)) {
		int found = repo_number(c->repo, id, err, "SELECT id FROM experiment WHERE run_id = ? AND complete", "t",
					peek.run_id);
		if (found != 0)
			return found < 0 ? found : 0;
	}
	return read_and_store(c, path, options, id, err);
}

/* -- the experiment meant ---------------------------------------------------------------------------------- */

/* The newest experiment directory below the working directory; NULL: none. */
static char *newest_directory(struct peek *newest)
{
	char *found = NULL;
	DIR *dir = opendir(".");
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		struct stat st;
		struct peek peek;
		if (entry->d_name[0] == '.' || stat(entry->d_name, &st) != 0 || !S_ISDIR(st.st_mode) ||
		    !peek_directory(entry->d_name, &peek) || (found && peek.started_ns <= newest->started_ns))
			continue;
		free(found);
		found = mem_string(entry->d_name);
		*newest = peek;
	}
	if (dir)
		closedir(dir);
	return found;
}

static int newest_experiment(struct context *c, int64_t *id, struct err *err)
{
	struct peek peek = { .started_ns = 0 };
	int64_t started = 0;
	char *directory = newest_directory(&peek);
	int rc = context_open(c, directory ? REPO_WRITE : REPO_READ, err);
	if (rc == 0)
		rc = repo_number(c->repo, &started, err, "SELECT max(started_ns) FROM experiment", "");
	if (rc >= 0 && directory && (rc == 0 || (int64_t)peek.started_ns >= started)) {
		const struct store_options options = { .role = "par" };
		rc = context_import(c, directory, &options, id, err);
	} else if (rc == 1) {
		rc = repo_number(c->repo, id, err, "SELECT id FROM experiment ORDER BY started_ns DESC, id DESC LIMIT 1", "");
		rc = rc < 0 ? rc : 0;
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
	bool is_there = stat(name, &st) == 0 && (S_ISDIR(st.st_mode) || xml_is_experiment(name));
	if (context_open(c, is_there ? REPO_WRITE : REPO_READ, err))
		return ERR_FAILED;
	bool is_number = name[0] && !name[strspn(name, "0123456789")] && strlen(name) < 18;
	int found = repo_number(c->repo, id, err, "SELECT id FROM experiment WHERE name = ?1 OR (?2 AND id = ?1) "
				"ORDER BY name = ?1 DESC LIMIT 1", "ti", name, (int64_t)is_number);
	if (found != 0)
		return found < 0 ? found : 0;
	const struct store_options options = { .role = "par" };
	if (is_there)
		return context_import(c, name, &options, id, err);
	return err_fail(err, "no experiment '%s': no id, no name, no directory and no export; `sis-analyze list` shows what there is",
			name);
}

int context_named(struct context *c, const char *name, int64_t *id, struct err *err)
{
	return context_find(c, name, id, err) || stored_check(c->repo, *id, err) ? ERR_FAILED : 0;
}

int context_nth(struct context *c, size_t k, int64_t *id, struct err *err)
{
	return context_named(c, c->cli.argument.at[k], id, err);
}

int context_references(struct context *c, int64_t *seq, int64_t *par1, struct err *err)
{
	const char *of_seq = cli_get(&c->cli, "--seq"), *of_par1 = cli_get(&c->cli, "--par1");
	*seq = *par1 = 0;
	if ((of_seq && context_named(c, of_seq, seq, err)) || (of_par1 && context_named(c, of_par1, par1, err)))
		return ERR_FAILED;
	return 0;
}

int context_experiment(struct context *c, int64_t *id, struct err *err)
{
	if (c->cli.argument.n)
		return context_nth(c, 0, id, err);
	return newest_experiment(c, id, err) || stored_check(c->repo, *id, err) ? ERR_FAILED : 0;
}
