/* SPDX-License-Identifier: BSD-3-Clause */
/* server_replica.h - a repository in PostgreSQL that several users share. Uses libpq. */
#ifndef SIS_ANALYSIS_SERVER_REPLICA_H
#define SIS_ANALYSIS_SERVER_REPLICA_H

#include <stdbool.h>

#include "repository/repository_internal.h"

struct shared;

/* Whether the name of a repository is the URL of one: postgresql://... */
bool shared_is_url(const char *name);
int shared_connect(struct shared **shared, const char *url, struct err *err);
void shared_close(struct shared *shared);
/* Its name in messages, without the password. */
const char *shared_name(const struct shared *shared);
/* The file of the replica, which the caller frees; "": the replica cannot be kept, and is
 * temporary. */
char *shared_replica(const struct shared *shared);

/* Upgrades the repository of a server to this version. */
int shared_upgrade(struct shared *shared, struct err *err);
/* Makes the replica equal to the server. Outside of transactions of both. */
int shared_pull(struct shared *shared, struct repo *replica, struct err *err);
void shared_rollback(struct shared *shared);
/* The functions that database.c calls when a transaction of the replica begins and ends. */
extern const struct repo_remote shared_remote;

#endif
