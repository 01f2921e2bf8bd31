/* SPDX-License-Identifier: BSD-3-Clause */
/* repository_internal.h - functions that the files of this folder share: those of the database, and
 * those that a server provides. */
#ifndef SIS_ANALYSIS_REPOSITORY_INTERNAL_H
#define SIS_ANALYSIS_REPOSITORY_INTERNAL_H

#include "repository/database/repository.h"

/* The functions of a server, for a database that is its replica. */
struct repo_remote {
	/* Makes the replica equal to the server, and keeps other writers from the server until
	 * commit or rollback. */
	int (*begin)(void *server, struct repo *replica, struct err *err);
	/* Sends the changes of the replica's open transaction to the server. */
	int (*commit)(void *server, struct repo *replica, struct err *err);
	void (*rollback)(void *server);
	void (*close)(void *server);
};

/* Makes a repository that has no database yet. `name` is its name in messages. */
struct repo *database_new(const char *name);
void database_rename(struct repo *repo, const char *name);
/* Opens or makes the file, which may have any version. */
int database_open(struct repo *repo, const char *file, struct err *err);
void database_close(struct repo *repo);
/* Makes the database the replica of a server. The repository owns the server from then on. */
void database_set_remote(struct repo *repo, const struct repo_remote *remote, void *server);
/* Fails if the file of a database, or a file that SQLite keeps beside it, exists and is not a
 * regular file. SQLite opens these files by name, and would wait for ever for the other end of a
 * FIFO. LIMIT: if a FIFO gets one of the names after the check, the command waits for ever. */
int database_check_files(const char *file, struct err *err);

/* Runs any number of statements without arguments and rows. */
int repo_execute(struct repo *repo, const char *sql, struct err *err);
/* Fails if `schema` ("main", or "other" of repo_attach) lacks a table of this version. Also fails
 * if a view or a virtual table has the table's name, because it would execute its own
 * statements. */
int repo_check_tables(struct repo *repo, const char *schema, const char *path, struct err *err);
/* Fails if the version is not the one that this program knows. */
int repo_check_version(const char *name, int64_t version, struct err *err);
/* Prepares a database that was just opened. */
int repo_prepare(struct repo *repo, struct err *err);

#endif
