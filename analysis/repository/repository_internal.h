/* SPDX-License-Identifier: BSD-3-Clause */
/* repository_internal.h - shared by the files of this folder: the database, and the functions that
 * a server provides. */
#ifndef SIS_ANALYSIS_REPOSITORY_INTERNAL_H
#define SIS_ANALYSIS_REPOSITORY_INTERNAL_H

#include "repository/repository.h"

/* A server, for a database that is its replica. */
struct repo_remote {
	/* Makes the replica equal to the server, and keeps other writers from the server until
	 * commit or rollback. */
	int (*begin)(void *server, struct repo *replica, struct err *err);
	/* Sends the changes of the replica's open transaction. */
	int (*commit)(void *server, struct repo *replica, struct err *err);
	void (*rollback)(void *server);
	void (*close)(void *server);
};

/* A repository without a database; `name` is for messages. */
struct repo *database_new(const char *name);
void database_rename(struct repo *repo, const char *name);
/* Opens or makes the file, which may have any version. */
int database_open(struct repo *repo, const char *file, struct err *err);
/* Whether the last statement failed because of what is in the database, and not for lack of room,
 * rights or time. */
bool database_contradicts(const struct repo *repo);
void database_close(struct repo *repo);
/* The repository owns the server from then on. */
void database_set_remote(struct repo *repo, const struct repo_remote *remote, void *server);
/* Fails if the file of a database, or one that SQLite keeps beside it, is there and is not a
 * regular file: SQLite opens them by name, and would wait for a FIFO's other end for ever. LIMIT:
 * if a FIFO gets one of the names after the check, the command waits for its other end. */
int database_check_files(const char *file, struct err *err);

/* Runs any number of statements without arguments and rows. */
int repo_execute(struct repo *repo, const char *sql, struct err *err);
/* Fails if `schema` ("main", or "other" of repo_attach) lacks a table of this version, or has a
 * view or a virtual table of its name, which would execute its own statements. */
int repo_check_tables(struct repo *repo, const char *schema, const char *path, struct err *err);
/* Prepares a database that was just opened. */
int repo_upgrade(struct repo *repo, struct err *err);

#endif
