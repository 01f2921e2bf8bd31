/* SPDX-License-Identifier: BSD-3-Clause */
/* repository.h - the data repository: a database of SQLite, which may be the replica of one on a
 * server.
 *
 * Arguments of statements are given by a format: i int64_t, t const char * (NULL: null). */
#ifndef SIS_ANALYSIS_REPOSITORY_H
#define SIS_ANALYSIS_REPOSITORY_H

#include "base/err.h"
#include "base/table.h"

struct repo;
struct query;
struct rows;

enum repo_mode {
	/* it is made if it does not exist; one on a server is made with the first change */
	REPO_WRITE,
	REPO_READ,  /* if it does not exist, an empty one in memory is used */
};

struct migration { int to; const char *sql; }; /* changes version to-1 into version `to` */

/* Whether the name is that of a repository on a server. */
bool repo_is_remote(const char *name);
int repo_open(struct repo **repo, const char *path, enum repo_mode mode, struct err *err);
void repo_close(struct repo *repo);
/* Its name in messages. */
const char *repo_path(const struct repo *repo);
/* The file of the database; for a repository on a server, that of the replica. */
const char *repo_file(const struct repo *repo);
#define REPO_IN_MEMORY ":memory:" /* the name of one that is gone when it is closed */
bool repo_is_in_memory(const struct repo *repo);

/* Switches the checks of references between rows on or off; at first they are on. While they are
 * on, the removal of a row also removes rows that refer to it (ON DELETE CASCADE). Outside of
 * transactions. */
int repo_check_references(struct repo *repo, bool on, struct err *err);
int repo_begin(struct repo *repo, struct err *err);
int repo_commit(struct repo *repo, struct err *err);
void repo_rollback(struct repo *repo);

/* Makes the file as small as its contents. Outside of transactions. */
int repo_compact(struct repo *repo, struct err *err);
/* Makes another repository of this version readable as schema `other`. Outside of transactions. */
int repo_attach(struct repo *repo, const char *path, struct err *err);
/* Makes an empty repository as schema `other`; repo_detach removes it. Outside of transactions. */
int repo_attach_empty(struct repo *repo, struct err *err);
int repo_detach(struct repo *repo, struct err *err);

/* Runs a statement without rows. */
int repo_run(struct repo *repo, struct err *err, const char *sql, const char *format, ...);
/* Gets the first column of the first row: 1 found, 0 there is none, negative failed. */
int repo_number(struct repo *repo, int64_t *number, struct err *err, const char *sql,
		const char *format, ...);
int64_t repo_last_id(const struct repo *repo);
/* Appends the statement's rows to the table, whose columns they must have in order. */
int repo_fill(struct repo *repo, struct table *table, struct err *err, const char *sql,
	      const char *format, ...);
/* Calls `take` for each row of the statement, in order. The cells are valid during the call. If
 * `take` does not return 0, repo_each ends and returns that value. */
typedef int repo_take(void *arg, const struct cell *row, struct err *err);
int repo_each(struct repo *repo, repo_take *take, void *arg, struct err *err, const char *sql,
	      const char *format, ...);
/* Runs one statement of the user, which may only read; the columns are those of the statement. The
 * caller frees *columns after the table. */
int repo_ask(struct repo *repo, struct table *table, struct column **columns, const char *sql,
	     struct err *err);
void repo_free_columns(struct column *columns, size_t n);

/* Inserts many rows of one table by one statement. `format` gives the arguments of a row, and has
 * also n: int64_t, REPO_NULL for null. Texts must stay valid until rows_end; before that the row
 * may not be in the table yet. */
#define REPO_NULL INT64_MIN
struct rows_form {
	const char *head, *tail, *format;
}; /* head: INSERT ... INTO ...; tail: text after the values, or "" */
int rows_open(struct repo *repo, struct rows **rows, const struct rows_form *form, struct err *err);
int rows_add(struct rows *rows, struct err *err, ...);
int rows_end(struct rows *rows, struct err *err);
void rows_close(struct rows *rows);

/* A prepared statement that is run many times. */
int query_open(struct repo *repo, struct query **query, const char *sql, struct err *err);
int query_run(struct query *query, struct err *err, const char *format, ...);
/* The same with n texts, which SQLite converts to the types of the columns; NULL: null. */
int query_run_texts(struct query *query, const char *const *text, size_t n, struct err *err);
void query_close(struct query *query);

/* Upgrades to the version of the last of `steps`, which are in order; for repo_open and tests. */
int repo_migrate(struct repo *repo, const struct migration *step, size_t steps, struct err *err);
int repo_version(struct repo *repo);

#endif
