/* SPDX-License-Identifier: BSD-3-Clause */
/* server_internal.h - the connection to a server, and copies of rows in both directions. */
#ifndef SIS_ANALYSIS_SERVER_INTERNAL_H
#define SIS_ANALYSIS_SERVER_INTERNAL_H

#include <libpq-fe.h>

#include "base/buf.h"
#include "repository/database/server_replica.h"

struct shared {
	PGconn *connection;
	char *name;   /* name in messages, from which the name of the replica's file is made */
	bool writing; /* whether this is between begin and commit */
};

/* Which rows of a table are copied at a time. */
enum share {
	SHARE_WHOLE,      /* the whole table: few rows, which change */
	SHARE_PAST,       /* rows above the receiver's last number; old rows do not change */
	/* Only rows of new experiments. The experiment of a row is found */
	SHARE_EXPERIMENT, /* from a column of the table, */
	SHARE_NODE,       /* from the row's node of the call graph, */
	SHARE_SUMMARY,    /* or from the row's summary. */
};

struct shared_table {
	/* Lists whose items are separated by commas. `key` is "" if the table has no primary key.
	 * `updates` is c = excluded.c, ... */
	char *name, *columns, *key, *updates;
	size_t n;                             /* number of columns */
	enum share share;
	bool has_id;
	/* Whether the rows have texts of SIS itself. These texts may differ between versions of
	 * SIS, so rows that the receiver already has stay as they are. */
	bool of_program;
};
typedef VEC(struct shared_table) shared_tables;

/* Lists the replica's tables, parents first. */
int shared_tables_load(shared_tables *tables, struct repo *replica, struct err *err);
void shared_tables_release(shared_tables *tables);

/* Runs a statement on the server. The result is NULL on failure; otherwise the caller clears it. */
PGresult *shared_ask(struct shared *shared, struct err *err, const char *sql);
int shared_run(struct shared *shared, struct err *err, const char *sql);
int shared_fail(struct shared *shared, struct err *err);

/* Copies the rows of `experiments`, and whole tables, to the replica or to the server.
 * `experiments` is a list of ids as "3,17", or "" for none. */
int shared_download(struct shared *shared, struct repo *replica, const shared_tables *tables,
		    const char *experiments, struct err *err);
int shared_upload(struct shared *shared, struct repo *replica, const shared_tables *tables,
		  const char *experiments, struct err *err);

#endif
