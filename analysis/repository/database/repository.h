/* SPDX-License-Identifier: BSD-3-Clause */
/* repository.h - the data repository: a database of SQLite, which may be the replica of a
 * repository on a server.
 *
 * `format` says which arguments a statement has: i is an int64_t, t is a const char *. A text that
 * is NULL becomes SQL's null. */
#ifndef SIS_ANALYSIS_REPOSITORY_H
#define SIS_ANALYSIS_REPOSITORY_H

#include "base/err.h"
#include "base/table.h"

struct repo;
struct query;
struct rows;

enum repo_mode {
	/* makes the repository if it does not exist; on a server, the first change makes it */
	REPO_WRITE,
	REPO_READ,  /* uses an empty repository in memory if it does not exist */
};

/* Whether the name is that of a repository on a server. */
bool repo_is_remote(const char *name);
int repo_open(struct repo **repo, const char *path, enum repo_mode mode, struct err *err);
void repo_close(struct repo *repo);
/* The repository's name in messages. */
const char *repo_path(const struct repo *repo);
/* The file of the database; for a repository on a server, that of the replica. */
const char *repo_file(const struct repo *repo);
#define REPO_IN_MEMORY ":memory:" /* name of a repository that is lost when it is closed */
bool repo_is_in_memory(const struct repo *repo);

/* Switches the checks of references between rows on or off. At first they are on. While they are
 * on, the removal of a row also removes rows that refer to it (ON DELETE CASCADE). Only outside of
 * transactions. */
int repo_check_references(struct repo *repo, bool on, struct err *err);
int repo_begin(struct repo *repo, struct err *err);
int repo_commit(struct repo *repo, struct err *err);
void repo_rollback(struct repo *repo);

/* Makes the file as small as its contents. Only outside of transactions. */
int repo_compact(struct repo *repo, struct err *err);
/* Makes another repository of this version readable as schema `other`. Only outside of
 * transactions. */
int repo_attach(struct repo *repo, const char *path, struct err *err);
/* Makes an empty repository as schema `other`; repo_detach removes it. Only outside of
 * transactions. */
int repo_attach_empty(struct repo *repo, struct err *err);
int repo_detach(struct repo *repo, struct err *err);

/* Runs a statement that returns no rows. */
int repo_run(struct repo *repo, struct err *err, const char *sql, const char *format, ...);
/* Gets the first column of the first row. Returns 1 if it was found, 0 if there is no row or the
 * value is null, and a negative value on failure. */
int repo_number(struct repo *repo, int64_t *number, struct err *err, const char *sql,
		const char *format, ...);
int64_t repo_last_id(const struct repo *repo);
/* Appends the statement's rows to the table. The statement must have the table's columns, in the
 * same order. */
int repo_fill(struct repo *repo, struct table *table, struct err *err, const char *sql,
	      const char *format, ...);
/* Calls `take` for each row of the statement, in order. The cells are valid during the call. If
 * `take` does not return 0, repo_each ends and returns that value. */
typedef int repo_take(void *arg, const struct cell *row, struct err *err);
int repo_each(struct repo *repo, repo_take *take, void *arg, struct err *err, const char *sql,
	      const char *format, ...);
/* Runs one statement of the user, which may only read. The table gets the statement's columns. The
 * caller frees *columns after the table. */
int repo_ask(struct repo *repo, struct table *table, struct column **columns, const char *sql,
	     struct err *err);
void repo_free_columns(struct column *columns, size_t n);

/* Inserts many rows of one table by few statements. `format` says which arguments a row has. In
 * this format, n is an int64_t whose value REPO_NULL means null. Texts must stay valid until
 * rows_end. Before rows_end, rows may be missing from the table. */
#define REPO_NULL INT64_MIN
struct rows_form {
	const char *head, *tail, *format;
}; /* head is INSERT ... INTO ...; tail is the text after the values, or "" */
int rows_open(struct repo *repo, struct rows **rows, const struct rows_form *form, struct err *err);
int rows_add(struct rows *rows, struct err *err, ...);
int rows_end(struct rows *rows, struct err *err);
void rows_close(struct rows *rows);

/* A prepared statement that is run many times. */
int query_open(struct repo *repo, struct query **query, const char *sql, struct err *err);
int query_run(struct query *query, struct err *err, const char *format, ...);
/* Runs the statement with n texts, which SQLite converts to the types of the columns. NULL becomes
 * null. */
int query_run_texts(struct query *query, const char *const *text, size_t n, struct err *err);
void query_close(struct query *query);

/* SQL: the leaves that have a property of overheads.def, as a list for IN. */
#define LEAVES(property) \
	"(SELECT a.leaf FROM temp.overhead_property p JOIN overhead_ancestor a " \
	"ON a.name = p.overhead WHERE instr(p.properties, ' " property " '))"

#endif
