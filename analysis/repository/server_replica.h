/* shared.h - a repository that several people have together, in PostgreSQL. Behind it is libpq; nothing else here knows.
 *
 * Who opens it has a replica, an SQLite file of their own that every question is asked of; see shared.c. */
#ifndef SIS_ANALYSIS_SHARED_H
#define SIS_ANALYSIS_SHARED_H

#include <stdbool.h>

#include "repository/repository.h"

struct shared;

/* Whether the name of a repository is one of these: postgresql://... */
bool shared_is_meant(const char *name);
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
/* The same, and until the end nobody else writes. */
int shared_begin(struct shared *shared, struct repo *replica, struct err *err);
/* Sends what the replica's open transaction has changed, and ends the server's; the replica's is for the caller to end. */
int shared_commit(struct shared *shared, struct repo *replica, struct err *err);
void shared_rollback(struct shared *shared);

#endif
