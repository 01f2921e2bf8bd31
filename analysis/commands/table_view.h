/* SPDX-License-Identifier: BSD-3-Clause */
/* table_view.h - which rows of a result are shown, and in which order: --filter, --sort, --top. */
#ifndef SIS_ANALYSIS_TABLE_VIEW_H
#define SIS_ANALYSIS_TABLE_VIEW_H

#include "commands/command.h"
#include "model/warnings.h"

#define SHAPE_OPTIONS \
	{ "--sort", "COLUMN", "by this column: the largest first, text by the alphabet" }, \
		{ "--top", "N", "the first N lines only" }, \
	{ \
		"--filter", "CONDITION", \
			"lines with 'COLUMN>VALUE' or 'COLUMN>20%' (also < <= >= = !=, text " \
			"with * and ?), or a name: 'MPI_*'" \
	}

/* Applies the options that are given, in the order filter, sort, top. Columns are named as in
 * --json or as in the heading. */
int shape_table(struct table *table, const struct cli *cli, const char *command, struct err *err);
bool shape_is_given(const struct cli *cli); /* whether any of them is */
/* Prints the table in the format asked for. Text has a column of estimates, whose key begins with
 * `estimated` or is `error`, only if there are some. */
void view_print(const struct context *c, const struct table *table);
/* Applies the options, and prints the table in the format asked for. */
int shape_print(struct context *c, struct table *table, const char *command, struct err *err);
/* Prints the experiment's warnings of a kind, in text only; --json has them among the warnings of
 * `show`. */
int view_print_warnings(struct context *c, int64_t experiment, enum warning_kind kind,
			struct err *err);

#endif
