/* repository_part.h - between repository.c, which owns the database, and repository_upgrade.c, which knows its versions. */
#ifndef SIS_ANALYSIS_REPOSITORY_PART_H
#define SIS_ANALYSIS_REPOSITORY_PART_H

#include "repository.h"

/* As messages name it. */
const char *repo_path(const struct repo *repo);
/* Any number of statements, without arguments and rows. */
int repo_execute(struct repo *repo, const char *sql, struct err *err);
/* A database just opened, made what the program needs. */
int repo_upgrade(struct repo *repo, struct err *err);

#endif
