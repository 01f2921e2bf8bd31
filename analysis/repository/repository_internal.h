/* repository_part.h - between repository.c, which owns the database, and repository_upgrade.c, which knows its versions. */
#ifndef SIS_ANALYSIS_REPOSITORY_PART_H
#define SIS_ANALYSIS_REPOSITORY_PART_H

#include "repository/repository.h"

/* Fails if the file of a database, or one that SQLite keeps beside it, is there and is not a regular file: SQLite
 * opens them by name, and would wait for a FIFO's other end for ever.
 * LIMIT: if a FIFO gets one of the names after the check, the command waits for its other end. */
int repo_check_files(const char *file, struct err *err);

/* Any number of statements, without arguments and rows. */
int repo_execute(struct repo *repo, const char *sql, struct err *err);
/* Fails if `schema` ("main", or "other" of repo_attach) lacks a table of this version, or has
 * a view or a virtual table of that name, which would run what is in it. */
int repo_check_tables(struct repo *repo, const char *schema, const char *path, struct err *err);
/* A database just opened, made what the program needs. */
int repo_upgrade(struct repo *repo, struct err *err);

#endif
