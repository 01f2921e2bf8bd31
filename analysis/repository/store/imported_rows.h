/* SPDX-License-Identifier: BSD-3-Clause */
/* imported_rows.h - the common part of readers of exports. It puts rows into schema `other`
 * (repo_attach_empty), in a transaction. */
#ifndef SIS_ANALYSIS_IMPORTED_ROWS_H
#define SIS_ANALYSIS_IMPORTED_ROWS_H

#include "repository/store/exported_rows.h"

struct imported_rows {
	struct repo *repo;
	const char *path; /* name of the file in messages */
	struct err *err;
	const struct row_kind *kind; /* of the current rows; NULL before the first row */
	struct query *query;
};

/* Begins rows of another kind. */
int imported_rows_begin(struct imported_rows *rows, size_t kind);
/* Adds a row. Texts are in the order of the columns; NULL becomes null. */
int imported_rows_take(struct imported_rows *rows, const char *const *text, int line);
void imported_rows_end(struct imported_rows *rows);

/* Fails if the file's version is not that of the repository. */
int imported_rows_version(const struct imported_rows *rows, const char *version);
/* Fails if rows are missing, or are not consistent with each other. */
int imported_rows_check(const struct imported_rows *rows);
int imported_rows_changed(const struct imported_rows *rows, const char *problem); /* fails */

#endif
