/* SPDX-License-Identifier: BSD-3-Clause */
/* server_internal.h - the connection to a server, and copies of rows in both directions. */
#ifndef SIS_ANALYSIS_SERVER_INTERNAL_H
#define SIS_ANALYSIS_SERVER_INTERNAL_H

#include <libpq-fe.h>

#include "base/buf.h"
#include "repository/server_replica.h"

struct shared {
	PGconn *connection;
	char *name;   /* name in messages, from which the name of the replica's file is made */
	bool writing; /* between begin and commit */
};

/* Which rows of a table are copied at a time. */
enum share {
	SHARE_WHOLE,      /* the whole table: few rows, which change */
	SHARE_PAST,       /* rows after the last number of the other side; rows do not change */
	/* rows of new experiments: the table says which experiment they are of, */
	SHARE_EXPERIMENT,
	SHARE_NODE,       /* or its nodes of the call graph say it, */
	SHARE_SUMMARY,    /* or its summaries */
};

struct shared_table {
	/* lists with commas; key "": none; updates: c = excluded.c, ... */
	char *name, *columns, *key, *updates;
	size_t n;                             /* columns */
	enum share share;
	bool has_id;
	/* each version of the program has its own texts, so rows that are there stay */
	bool of_program;
};
typedef VEC(struct shared_table) shared_tables;

/* The replica's tables, parents first. */
int shared_tables_load(shared_tables *tables, struct repo *replica, struct err *err);
void shared_tables_release(shared_tables *tables);

/* Runs a statement on the server. The result is NULL on failure; else the caller clears it. */
PGresult *shared_ask(struct shared *shared, struct err *err, const char *sql);
int shared_run(struct shared *shared, struct err *err, const char *sql);
int shared_fail(struct shared *shared, struct err *err);

/* Copies the rows of `experiments` ("3,17"; "": none), and whole tables, to the replica or to the
 * server. */
int shared_download(struct shared *shared, struct repo *replica, const shared_tables *tables,
		    const char *experiments, struct err *err);
int shared_upload(struct shared *shared, struct repo *replica, const shared_tables *tables,
		  const char *experiments, struct err *err);

#endif
