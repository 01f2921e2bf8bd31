/* SPDX-License-Identifier: BSD-3-Clause */
/* region_rows.h - the rows of `sis-analyze regions`: times and metrics of regions or nodes, in the
 * whole run or in an interval. The statements are made from the table of columns in region_rows.c.
 * So a new column needs only a row in that table. */
#ifndef SIS_ANALYSIS_REGION_ROWS_H
#define SIS_ANALYSIS_REGION_ROWS_H

#include "answers/query/interval_rows.h"
#include "answers/query/metric_values.h"
#include "answers/query/probe_costs.h"

/* Where the cells of a column come from: from the statement (VALUE_OF_SQL), or from values that SQL
 * does not have. */
enum region_value { VALUE_OF_SQL, VALUE_METRICS, VALUE_INCL_BARE, VALUE_EXCL_BARE };

struct region_column {
	struct column column;
	bool of_interval;        /* intervals have this column, too */
	/* SQL; region_rows.c lists the names in it. NULL: the column is not in this format */
	const char *each;        /* for a node and a processing unit, in JSON and CSV */
	const char *line;        /* for a line of text: a region, or a node of the tree */
	const char *node;        /* a sum over a node, which `line` uses; NULL: not needed */
	enum region_value value;
};
extern const struct region_column region_columns[];
extern const size_t region_column_count;

struct region_rows {
	/* the caller sets these members, and all other members to 0 */
	bool is_text, is_tree;
	bool by_template;         /* a line for all instances of a template, even if they are few */
	bool has_interval;
	int64_t from_ns, to_ns;   /* of the interval, as in interval_rows.h */
	char *types;              /* ",CR_A,CR_B," ; NULL: all */
	const char *function;     /* only regions in this function; NULL: all */
	struct measures measures; /* the metrics to show */
	bool only_measured;       /* leave out regions where none of these was requested */
	/* what was found */
	struct table table;
	struct interval_gaps gaps;
	struct column *column;    /* columns of the table; a hidden one has no title */
	struct probe_costs probes;
};

/* Text has a row for each region or, as a tree, for each node; values are summed over
 * temp.chosen_pu. Other formats have a row for each node and processing unit. `from`: the table of
 * columns. */
int region_rows_load(struct region_rows *rows, struct repo *repo, int64_t experiment,
		     const struct region_column *from, size_t n, struct err *err);
/* Releases rows, loaded or not, with their `types` and `measures`. */
void region_rows_release(struct region_rows *rows);

#endif
