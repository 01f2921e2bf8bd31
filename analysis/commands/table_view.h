/* SPDX-License-Identifier: BSD-3-Clause */
/* table_view.h - chooses which rows of a table are shown, and in which order: --filter, --sort,
 * --top. */
#ifndef SIS_ANALYSIS_TABLE_VIEW_H
#define SIS_ANALYSIS_TABLE_VIEW_H

#include "commands/command.h"
#include "experiment/model/warnings.h"

#define SHAPE_OPTIONS \
	{ "--sort", "COLUMN", "by this column: the largest first, text by the alphabet" }, \
		{ "--top", "N", "the first N lines only" }, \
	{ \
		"--filter", "CONDITION", \
			"lines with 'COLUMN>VALUE' or 'COLUMN>20%' (also < <= >= = !=, text " \
			"with * and ?), or a name: 'MPI_*'" \
	}

/* Applies the options that are given, in the order --filter, --sort, --top. The user names columns
 * as in --json or as in the heading. */
int shape_table(struct table *table, const struct cli *cli, const char *command, struct err *err);
bool shape_is_given(const struct cli *cli); /* whether any of these options is given */
/* Prints the table in the format that the user chose. Text has a column of estimates (its key
 * begins with `estimated` or is `error`) only if there are estimates. */
void view_print(const struct context *c, const struct table *table);
/* Applies the options, and prints the table (view_print). */
int shape_print(struct context *c, struct table *table, const char *command, struct err *err);
/* Prints the experiment's warnings of a kind, in text only. For programs, `show --json` has all
 * warnings. */
int view_print_warnings(struct context *c, int64_t experiment, enum warning_kind kind,
			struct err *err);

#endif
