/* SPDX-License-Identifier: BSD-3-Clause */
/* table.h - rows and columns, described once and printed as text, CSV or JSON. */
#ifndef SIS_ANALYSIS_TABLE_H
#define SIS_ANALYSIS_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/json.h"
#include "base/mem.h"

enum format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON };

enum cell_kind {
	CELL_NULL,
	CELL_TEXT,
	CELL_INTEGER,
	CELL_SECONDS, /* nanoseconds in memory, seconds in print */
	CELL_REAL,
	/* real numbers that text shows in another form (ratio.h). A column or a single cell can
	 * have this kind */
	CELL_SHARE,   /* part of a whole */
	CELL_FACTOR,  /* quotient of two times or rates */
	CELL_BOOL,
	CELL_RAW,     /* JSON text */
};

struct column {
	const char *key;     /* the column's name in JSON and CSV; NULL: the column is in text
	                      * only */
	const char *title;   /* the column's name in text; NULL: the column is not in text */
	enum cell_kind kind;
};

struct cell {
	enum cell_kind kind;
	/* members that do not belong to the kind are 0 or ""; `text` is never NULL */
	int64_t integer;
	double real;
	const char *text; /* belongs to the table if the kind is CELL_TEXT or CELL_RAW */
};

struct table {
	const struct column *column;
	size_t columns;
	VEC(struct cell) cell; /* row by row */
};

void table_init(struct table *table, const struct column *column, size_t columns);
void table_release(struct table *table);
size_t table_rows(const struct table *table);
struct cell *table_cell(const struct table *table, size_t row, size_t column);
/* Whether a cell of the column is something other than null, zero or empty. */
bool table_has_value(const struct table *table, size_t column);

/* Frees what a cell of a table owns. */
void cell_release(struct cell *cell);

/* These add a cell. Cells are added from left to right, row after row. */
void table_text(struct table *table, const char *text); /* NULL becomes null */
void table_integer(struct table *table, int64_t value);
void table_seconds(struct table *table, int64_t ns);
void table_real(struct table *table, double value);
void table_share(struct table *table, double value);
void table_factor(struct table *table, double value);
/* Adds null if the value is not finite. */
void table_real_or_null(struct table *table, double value);
void table_null(struct table *table);
/* Adds a copy of a cell of a database row. The kind of the copy is that of the value or, if the
 * column has a more specific one (such as seconds), that of the column. */
void table_copy(struct table *table, const struct cell *cell);

/* table_json writes the rows as an array, cell_json writes a cell as a value. */
void table_json(const struct table *table, struct json *json);
void cell_json(struct json *json, const struct cell *cell);

void table_print(const struct table *table, enum format format, FILE *out);

/* These write one field of a line of CSV, with a comma before it unless it is the first one. Text
 * is escaped as names are, so a record is one line. Text that a spreadsheet would treat as a
 * formula gets an apostrophe before it. */
void csv_text(const char *text, bool first, FILE *out);
void csv_number(const char *number, bool first, FILE *out);

#endif
