/* SPDX-License-Identifier: BSD-3-Clause */
/* repository_open.c - opens a repository: a file, or the replica of one on a server. Owns nothing;
 * one thread.
 *
 * A database is brought to the newest version when it is opened (repository_upgrade.c), so no other
 * code meets an old one. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "repository/repository_internal.h"
#include "repository/server_replica.h"

static int open_file(struct repo *repo, const char *file, struct err *err)
{
	return database_open(repo, file, err) || repo_upgrade(repo, err) ? ERR_FAILED : 0;
}

/* A replica that is unusable is made again. */
static int open_replica(struct repo *repo, struct shared *server, struct err *err)
{
	struct err useless = { 0 };
	char *file = shared_replica(server);
	int rc = 0;
	if (open_file(repo, file, &useless) || shared_pull(server, repo, &useless)) {
		database_close(repo);
		unlink(file);
		rc = open_file(repo, file, err) || shared_pull(server, repo, err) ? ERR_FAILED : 0;
	}
	free(file);
	return rc;
}

static int open_shared(struct repo *repo, const char *url, enum repo_mode mode, struct err *err)
{
	struct shared *server;
	int rc = shared_connect(&server, url, err);
	rc = rc || mode == REPO_READ ? rc : shared_upgrade(server, err);
	database_rename(repo, shared_name(server));
	rc = rc ? rc : open_replica(repo, server, err);
	database_set_remote(repo, &shared_remote, server);
	return rc;
}

bool repo_is_remote(const char *name)
{
	return shared_is_url(name);
}

int repo_open(struct repo **out, const char *path, enum repo_mode mode, struct err *err)
{
	struct repo *repo = database_new(path);
	bool absent = mode == REPO_READ && access(path, F_OK) != 0 && errno == ENOENT;
	if (repo_is_remote(path) ? open_shared(repo, path, mode, err) :
				   open_file(repo, absent ? REPO_IN_MEMORY : path, err)) {
		repo_close(repo);
		return ERR_FAILED;
	}
	*out = repo;
	return 0;
}
