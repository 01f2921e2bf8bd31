/* SPDX-License-Identifier: BSD-3-Clause */
/* repository_internal.h - what the files of this folder share: the database, and the table of
 * functions of a server. */
#ifndef SIS_ANALYSIS_REPOSITORY_INTERNAL_H
#define SIS_ANALYSIS_REPOSITORY_INTERNAL_H

#include "repository/repository.h"

/* A server that a database is the replica of. */
struct repo_remote {
	/* The replica becomes what the server has, and until the end nobody else writes to the
	 * server. */
	int (*begin)(void *server, struct repo *replica, struct err *err);
	/* Sends what the replica's open transaction has changed. */
	int (*commit)(void *server, struct repo *replica, struct err *err);
	void (*rollback)(void *server);
	void (*close)(void *server);
};

/* A repository without a database; `name` is for messages. */
struct repo *database_new(const char *name);
void database_rename(struct repo *repo, const char *name);
/* Opens or makes the file. What it holds may be of any version. */
int database_open(struct repo *repo, const char *file, struct err *err);
void database_close(struct repo *repo);
/* From now on the repository owns the server. */
void database_set_remote(struct repo *repo, const struct repo_remote *remote, void *server);
/* Fails if the file of a database, or one that SQLite keeps beside it, is there and is not a
 * regular file: SQLite opens them by name, and would wait for a FIFO's other end for ever. LIMIT:
 * if a FIFO gets one of the names after the check, the command waits for its other end. */
int database_check_files(const char *file, struct err *err);

/* Any number of statements, without arguments and rows. */
int repo_execute(struct repo *repo, const char *sql, struct err *err);
/* Fails if `schema` ("main", or "other" of repo_attach) lacks a table of this version, or has
 * a view or a virtual table of that name, which would run what is in it. */
int repo_check_tables(struct repo *repo, const char *schema, const char *path, struct err *err);
/* A database just opened, made what the program needs. */
int repo_upgrade(struct repo *repo, struct err *err);

#endif
