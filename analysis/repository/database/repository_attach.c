/* SPDX-License-Identifier: BSD-3-Clause */
/* repository_attach.c - operations on whole files: makes a repository's file smaller, and attaches
 * another repository. Owns nothing. Called by one thread. */
#include "repository/database/repository_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/links.h"
#include "repository_version.h"

int repo_compact(struct repo *repo, struct err *err)
{
	return repo_run(repo, err, "VACUUM", "");
}

/* Attaches a file, and reads its magic number and version. Errors name this file, not the
 * repository. */
static int attach_database(struct repo *repo, const char *path, int64_t *magic, int64_t *version,
			   struct err *err)
{
	char *file = links_follow(path, err);
	if (!file)
		return ERR_FAILED;
	char *own = mem_string(repo_path(repo));
	database_rename(repo, path);
	int rc = repo_run(repo, err, "ATTACH ? AS other", "t", file) ||
			repo_number(repo, magic, err, "PRAGMA other.application_id", "") < 0 ||
			repo_number(repo, version, err, "PRAGMA other.user_version", "") < 0 ?
		ERR_FAILED :
		0;
	database_rename(repo, own);
	free(own);
	free(file);
	return rc;
}

static int attach_file(struct repo *repo, const char *path, struct err *err)
{
	int64_t magic = 0, version = 0;
	struct stat here, there;
	if (access(path, R_OK) != 0)
		return err_fail(err, "cannot open repository '%s': %s; check the name and its "
				"permissions", path, strerror(errno));
	if (stat(path, &there) == 0 && stat(repo_file(repo), &here) == 0 &&
	    there.st_dev == here.st_dev && there.st_ino == here.st_ino)
		return err_fail(err, "'%s' is the repository itself; name another, or this one "
				"with --db", path);
	if (database_check_files(path, err) ||
	    attach_database(repo, path, &magic, &version, err))
		return ERR_FAILED;
	if (magic != SIS_REPOSITORY_MAGIC)
		return err_fail(err, "'%s' is no repository of SIS; name one that sis-analyze has "
				"made", path);
	return repo_check_version(path, version, err) ||
			repo_check_tables(repo, "other", path, err) ? ERR_FAILED : 0;
}

/* `path` is the file of a repository. If the repository is on a server, its replica is made equal
 * to the server, and then attached. */
int repo_attach(struct repo *repo, const char *path, struct err *err)
{
	if (!repo_is_remote(path))
		return attach_file(repo, path, err);
	struct repo *other;
	if (repo_open(&other, path, REPO_READ, err))
		return ERR_FAILED;
	char *file = mem_string(repo_file(other));
	repo_close(other);
	int rc = *file ?
		attach_file(repo, file, err) :
		err_fail(err, "'%s' has no replica that could be read: no cache directory; set "
			 "XDG_CACHE_HOME", path);
	free(file);
	return rc;
}

static int copy_table(void *arg, const struct cell *row, struct err *err)
{
	static const char create[] = "CREATE TABLE ";
	char *sql = mem_print("%sother.%s", create, row[0].text + sizeof create - 1);
	int rc = repo_run(arg, err, sql, "");
	free(sql);
	return rc;
}

int repo_attach_empty(struct repo *repo, struct err *err)
{
	return repo_run(repo, err, "ATTACH '' AS other", "") ?
		ERR_FAILED :
		repo_each(repo, copy_table, repo, err,
			  "SELECT sql FROM main.sqlite_master WHERE type = 'table' ORDER BY rowid",
			  "");
}

int repo_detach(struct repo *repo, struct err *err)
{
	return repo_run(repo, err, "DETACH other", "");
}
