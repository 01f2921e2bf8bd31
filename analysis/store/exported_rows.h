/* SPDX-License-Identifier: BSD-3-Clause */
/* exported_rows.h - an experiment as rows of the repository: XML and JSON exports contain them, and
 * an import reads them. */
#ifndef SIS_ANALYSIS_EXPORTED_ROWS_H
#define SIS_ANALYSIS_EXPORTED_ROWS_H

#include "repository/repository.h"

struct row_kind { const char *table, *where, *order; }; /* where: ?1 is the experiment */

/* Every row comes after the rows that it refers to. Columns are those of the tables
 * (repository.sql), so exports have a new column without a change here; experiment.xsd and
 * experiment.schema.json need it, too. */
enum { ROW_KINDS = 42 };
extern const struct row_kind row_kind[ROW_KINDS];

struct row_columns { VEC(char *) name, type; /* INTEGER, REAL or TEXT */ };
int row_columns_load(struct row_columns *columns, struct repo *repo, const struct row_kind *kind,
		     struct err *err);
void row_columns_release(struct row_columns *columns);
/* Calls `take` for the experiment's rows of a kind, with their cells in the order of the
 * columns. */
int row_each(struct repo *repo, const struct row_kind *kind, int64_t experiment, repo_take *take,
	     void *arg, struct err *err);

#endif
