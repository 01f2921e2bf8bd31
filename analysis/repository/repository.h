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
	REPO_WRITE, /* made when it does not exist; a shared one, with the first change */
	REPO_READ,  /* when it does not exist, an empty one in memory stands for it */
};

struct migration { int to; const char *sql; }; /* takes version to-1 to version `to` */

/* Whether a repository of that name is on a server. */
bool repo_is_remote(const char *name);
int repo_open(struct repo **repo, const char *path, enum repo_mode mode, struct err *err);
void repo_close(struct repo *repo);
/* As messages name it. */
const char *repo_path(const struct repo *repo);
/* The database's file; of a shared one, that of the replica. */
const char *repo_file(const struct repo *repo);

/* Whether references of rows are checked, and followed by removals; they are at first. Outside of
 * transactions. */
int repo_check_references(struct repo *repo, bool on, struct err *err);
int repo_begin(struct repo *repo, struct err *err);
int repo_commit(struct repo *repo, struct err *err);
void repo_rollback(struct repo *repo);

/* Gives the file the size that its contents need. Outside of transactions. */
int repo_compact(struct repo *repo, struct err *err);
/* Makes another repository of this version readable as schema `other`. Outside of transactions. */
int repo_attach(struct repo *repo, const char *path, struct err *err);
/* Makes an empty repository as schema `other`, which is gone with the detaching. Outside of
 * transactions. */
int repo_attach_empty(struct repo *repo, struct err *err);
int repo_detach(struct repo *repo, struct err *err);

/* Runs a statement without rows. */
int repo_run(struct repo *repo, struct err *err, const char *sql, const char *format, ...);
/* The first column of the first row: 1 found, 0 none, negative failed. */
int repo_number(struct repo *repo, int64_t *number, struct err *err, const char *sql,
		const char *format, ...);
int64_t repo_last_id(const struct repo *repo);
/* Appends the statement's rows to the table, whose columns they must have in order. */
int repo_fill(struct repo *repo, struct table *table, struct err *err, const char *sql,
	      const char *format, ...);
/* Gives the statement's rows to `take`, one by one and in order; the cells are there for that call
 * only. What is not 0 ends it and is returned. */
typedef int repo_take(void *arg, const struct cell *row, struct err *err);
int repo_each(struct repo *repo, repo_take *take, void *arg, struct err *err, const char *sql,
	      const char *format, ...);
/* Any one statement that only reads; the columns are its own. The caller frees *columns after the
 * table. */
int repo_ask(struct repo *repo, struct table *table, struct column **columns, const char *sql,
	     struct err *err);
void repo_free_columns(struct column *columns, size_t n);

/* Rows of one table, many by one statement. The arguments of a row are given by the form's
 * `format`, which has also n: int64_t, REPO_NULL for null. Its texts have to be there until
 * rows_end, before which it need not be in the table. */
#define REPO_NULL INT64_MIN
struct rows_form {
	const char *head, *tail, *format;
}; /* head: INSERT ... INTO ...; tail: what follows the values, or "" */
int rows_open(struct repo *repo, struct rows **rows, const struct rows_form *form, struct err *err);
int rows_add(struct rows *rows, struct err *err, ...);
int rows_end(struct rows *rows, struct err *err);
void rows_close(struct rows *rows);

/* A statement run many times. */
int query_open(struct repo *repo, struct query **query, const char *sql, struct err *err);
int query_run(struct query *query, struct err *err, const char *format, ...);
/* The same with n texts, which columns take as what they are declared to be; NULL: null. */
int query_run_texts(struct query *query, const char *const *text, size_t n, struct err *err);
void query_close(struct query *query);

/* To the version of the last of `steps`, which are in order; for repo_open and tests. */
int repo_migrate(struct repo *repo, const struct migration *step, size_t steps, struct err *err);
int repo_version(struct repo *repo);

#endif
