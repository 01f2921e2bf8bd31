/* SPDX-License-Identifier: BSD-3-Clause */
/* page_statements.h - the tables of a page that are results of SQL statements. */
#ifndef SIS_ANALYSIS_PAGE_STATEMENTS_H
#define SIS_ANALYSIS_PAGE_STATEMENTS_H

#include "page/view/page_column.h"

/* The kind of thing to which a column refers. In the repository, a value is an id or a name; in the
 * page it becomes a row of another table. PLAIN values refer to nothing. */
enum reference { PLAIN, NODE, UNIT, UNIT_OR_NONE, REGION, COMMUNICATOR, OVERHEAD };

struct sql_column { const char *name; enum page_type type; enum reference reference; };
struct sql_table {
	const char *name;
	const struct sql_column *column;
	size_t columns;
	const char *sql; /* has the columns in the same order; ?1 is the experiment */
};

enum { PAGE_STATEMENTS = 18 };
extern const struct sql_table page_statements[PAGE_STATEMENTS];

/* Counts the blame points of experiment ?1 that are left out of the tables. */
extern const char page_points_left_out[];

#endif
