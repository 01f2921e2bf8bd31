/* SPDX-License-Identifier: BSD-3-Clause */
/* imported_rows.h - what readers of exports have in common: they put rows into schema `other`
 * (repo_attach_empty), in a transaction. */
#ifndef SIS_ANALYSIS_IMPORTED_ROWS_H
#define SIS_ANALYSIS_IMPORTED_ROWS_H

#include "store/exported_rows.h"

struct imported_rows {
	struct repo *repo;
	const char *path; /* of the file, for messages */
	struct err *err;
	size_t kind;		    /* kind of the current rows; ROW_KINDS: no row yet */
	struct row_columns columns; /* columns of that kind */
	struct query *query;
};

/* The kind of a table's rows; ROW_KINDS: there is no such table. */
size_t row_kind_named(const char *table);

/* Rows of this kind come next. */
int imported_rows_begin(struct imported_rows *rows, size_t kind);
/* One row, with texts in the order of the columns; NULL: null. */
int imported_rows_take(struct imported_rows *rows, const char *const *text, int line);
void imported_rows_end(struct imported_rows *rows);

/* Fails if the file's version is not that of the repository. */
int imported_rows_version(const struct imported_rows *rows, const char *version);
/* Fails if rows are missing or do not fit each other. */
int imported_rows_check(const struct imported_rows *rows);
int imported_rows_changed(const struct imported_rows *rows, const char *problem); /* fails so */

#endif
