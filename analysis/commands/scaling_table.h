/* SPDX-License-Identifier: BSD-3-Clause */
/* scaling_table.h - the efficiencies of several experiments side by side, against the first of
 * them. */
#ifndef SIS_ANALYSIS_SCALING_TABLE_H
#define SIS_ANALYSIS_SCALING_TABLE_H

#include "commands/command.h"
#include "query/runs.h"

/* Of n runs, the base first. Machines get a row a run and factor in `rows`, made with
 * scaling_columns and printed by the caller; people a table of their own, printed here. */
enum { SCALING_COLUMNS = 6 };
extern const struct column scaling_columns[SCALING_COLUMNS];
/* weak: each run has to do the base's work once a unit, not once in all. */
int scaling_table(struct context *c, const struct run *run, size_t n, bool weak, struct table *rows,
		  struct err *err);

#endif
