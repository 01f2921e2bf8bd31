/* SPDX-License-Identifier: BSD-3-Clause */
/* server_internal.h - the connection to a server, and rows from one side to the other. */
#ifndef SIS_ANALYSIS_SERVER_INTERNAL_H
#define SIS_ANALYSIS_SERVER_INTERNAL_H

#include <libpq-fe.h>

#include "base/buf.h"
#include "repository/server_replica.h"

struct shared {
	PGconn *connection;
	char *name;   /* for people, and for the replica's file */
	bool writing; /* between begin and commit */
};

/* How much of a table goes over at a time. */
enum share {
	SHARE_WHOLE,      /* few rows, which change */
	SHARE_PAST,       /* what is past the other side's last number; rows do not change */
	SHARE_EXPERIMENT, /* rows of new experiments: the table says whose they are, */
	SHARE_NODE,       /* or its nodes of the call graph do, */
	SHARE_SUMMARY,    /* or its summaries */
};

struct shared_table {
	/* lists with commas; key "": none; updates: c = excluded.c, ... */
	char *name, *columns, *key, *updates;
	size_t n;                             /* columns */
	enum share share;
	bool has_id;
	/* each version of the program fills in its own words: what is there stays */
	bool of_program;
};
typedef VEC(struct shared_table) shared_tables;

/* The replica's tables, parents first. */
int shared_tables_load(shared_tables *tables, struct repo *replica, struct err *err);
void shared_tables_release(shared_tables *tables);

/* Runs a statement of the server; its result is NULL on failure, else the caller's to clear. */
PGresult *shared_ask(struct shared *shared, struct err *err, const char *sql);
int shared_run(struct shared *shared, struct err *err, const char *sql);
int shared_fail(struct shared *shared, struct err *err);

/* The rows of `experiments` ("3,17"; "": none), and those of whole tables, to the replica or to the
 * server. */
int shared_download(struct shared *shared, struct repo *replica, const shared_tables *tables,
		    const char *experiments, struct err *err);
int shared_upload(struct shared *shared, struct repo *replica, const shared_tables *tables,
		  const char *experiments, struct err *err);

#endif
