/* SPDX-License-Identifier: BSD-3-Clause */
/* repository_open.c - opens a repository: a file, or the replica of a repository on a server. Owns
 * nothing. Called by one thread.
 *
 * A database of another version is refused when it is opened (repository_prepare.c), so all other
 * code can rely on the version. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "repository/database/repository_internal.h"
#include "repository/database/server_replica.h"

static int open_file(struct repo *repo, const char *file, struct err *err)
{
	return database_open(repo, file, err) || repo_prepare(repo, err) ? ERR_FAILED : 0;
}

/* Opens a replica. If it cannot be used, it is made again. */
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

bool repo_is_remote(const char *name)
{
	return shared_is_url(name);
}

int repo_open(struct repo **out, const char *path, enum repo_mode mode, struct err *err)
{
	struct repo *repo = database_new(path);
	bool absent = mode == REPO_READ && access(path, F_OK) != 0 && errno == ENOENT;
	int rc;
	if (repo_is_remote(path)) {
		struct shared *server;
		rc = shared_connect(&server, path, err);
		database_rename(repo, shared_name(server));
		rc = rc ? rc : open_replica(repo, server, err);
		database_set_remote(repo, &shared_remote, server);
	} else {
		rc = open_file(repo, absent ? REPO_IN_MEMORY : path, err);
	}
	if (rc) {
		repo_close(repo);
		return ERR_FAILED;
	}
	*out = repo;
	return 0;
}
