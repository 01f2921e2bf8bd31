/* SPDX-License-Identifier: BSD-3-Clause */
/* server_replica.h - a repository that several people share, in PostgreSQL. Behind it is libpq.
 *
 * Each user has a replica, an SQLite file that answers all queries; see server_replica.c. */
#ifndef SIS_ANALYSIS_SERVER_REPLICA_H
#define SIS_ANALYSIS_SERVER_REPLICA_H

#include <stdbool.h>

#include "repository/repository_internal.h"

struct shared;

/* Whether the name of a repository is the URL of one: postgresql://... */
bool shared_is_url(const char *name);
int shared_connect(struct shared **shared, const char *url, struct err *err);
void shared_close(struct shared *shared);
/* How it is called in messages: without its password. */
const char *shared_name(const struct shared *shared);
/* The replica's file; "": it cannot be kept, and is a temporary one. The caller's to free. */
char *shared_replica(const struct shared *shared);

/* A server's repository of an older version becomes one of this. */
int shared_upgrade(struct shared *shared, struct err *err);
/* Makes the replica what the server has. Outside of transactions of both. */
int shared_pull(struct shared *shared, struct repo *replica, struct err *err);
void shared_rollback(struct shared *shared);
/* What database.c calls when a transaction of the replica begins and ends. */
extern const struct repo_remote shared_remote;

#endif
