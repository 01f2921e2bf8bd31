/* SPDX-License-Identifier: BSD-3-Clause */
/* exported_rows.h - the rows of the repository that make up an experiment. XML and JSON exports
 * contain them, and an import reads them. */
#ifndef SIS_ANALYSIS_EXPORTED_ROWS_H
#define SIS_ANALYSIS_EXPORTED_ROWS_H

#include "repository/database/repository.h"

/* A column of repository.sql. */
struct row_column {
	const char *name;
	enum row_type { ROW_TEXT, ROW_INTEGER, ROW_REAL } type;
	bool may_be_null;
	int64_t least, most; /* the range of an integer */
	int refers;	     /* the kind of row to which it refers, or -1 */
	bool is_unchecked;   /* whether SQLite does not check that the row exists */
	bool is_key;	     /* whether it is part of the key, the same in all repositories */
};

/* The rows of a table. Kinds are ordered so that every row comes after the rows to which it refers.
 * The build makes the list of kinds (schema/experiment_schemas.awk), so a new column needs no
 * change here. */
struct row_kind {
	const char *table, *order; /* the columns of its primary key, or "rowid" */
	const struct row_column *column;
	size_t columns;
	int owner; /* column that refers to the owner; a row is removed with its owner; -1: none */
	int64_t fewest, most; /* how many rows an export may have */
};

enum { ROW_KINDS = 43 };
extern const struct row_kind row_kind[ROW_KINDS];

/* The kind of a table's rows; ROW_KINDS if there is no such table. */
size_t row_kind_named(const char *table);
/* The names of the columns of a kind, as a list; malloc'ed. */
char *row_names(const struct row_kind *kind);
/* An SQL condition for the rows that belong to experiments; malloc'ed. `which` is a list of the
 * experiments' ids in parentheses, or a statement that selects the ids. */
char *row_condition(const struct row_kind *kind, const char *schema, const char *which);
/* Calls `take` for the experiment's rows of a kind, with their cells in the order of the
 * columns. */
int row_each(struct repo *repo, const struct row_kind *kind, int64_t experiment, repo_take *take,
	     void *arg, struct err *err);

#endif
