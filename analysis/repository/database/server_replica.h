/* SPDX-License-Identifier: BSD-3-Clause */
/* server_replica.h - a repository on a PostgreSQL server, which several users share. Uses libpq. */
#ifndef SIS_ANALYSIS_SERVER_REPLICA_H
#define SIS_ANALYSIS_SERVER_REPLICA_H

#include <stdbool.h>

#include "repository/database/repository_internal.h"

struct shared;

/* Whether the name of a repository is the URL of a shared one: postgresql://... */
bool shared_is_url(const char *name);
int shared_connect(struct shared **shared, const char *url, struct err *err);
void shared_close(struct shared *shared);
/* The name of the shared repository in messages, without the password. */
const char *shared_name(const struct shared *shared);
/* The name of the replica's file, which the caller frees. "" if the replica cannot be kept, and is
 * temporary. */
char *shared_replica(const struct shared *shared);

/* Makes the replica equal to the server. Only outside of transactions of both. */
int shared_pull(struct shared *shared, struct repo *replica, struct err *err);
/* The functions that database.c calls when a transaction of the replica begins and ends. */
extern const struct repo_remote shared_remote;

#endif
