/* SPDX-License-Identifier: BSD-3-Clause */
/* page_statements.h - the tables of a page that are results of statements. */
#ifndef SIS_ANALYSIS_PAGE_STATEMENTS_H
#define SIS_ANALYSIS_PAGE_STATEMENTS_H

#include "view/page_column.h"

/* what a value is in the repository; in the page it is a row of another table */
enum reference { PLAIN, NODE, UNIT, UNIT_OR_NONE, REGION, COMMUNICATOR, OVERHEAD };

struct sql_column { const char *name; enum page_type type; enum reference reference; };
struct sql_table {
	const char *name;
	const struct sql_column *column;
	size_t columns;
	const char *sql; /* its columns are in the same order; ?1: the experiment */
};

enum { PAGE_STATEMENTS = 17 };
extern const struct sql_table page_statements[PAGE_STATEMENTS];

/* Counts the blame points that tables have no rows of: ?1 the experiment. */
extern const char page_points_left_out[];

#endif
