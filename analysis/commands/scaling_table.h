/* SPDX-License-Identifier: BSD-3-Clause */
/* scaling_table.h - the efficiencies of several experiments side by side, against the first of
 * them. */
#ifndef SIS_ANALYSIS_SCALING_TABLE_H
#define SIS_ANALYSIS_SCALING_TABLE_H

#include "commands/command.h"
#include "commands/scaling_base.h"
#include "query/runs.h"

/* Efficiencies of n runs, the base or a repetition of it first. For --json and --csv it adds a row
 * for each run and factor to `rows`, made with scaling_columns, which the caller prints; text is
 * printed here. */
enum { SCALING_COLUMNS = 7 };
extern const struct column scaling_columns[SCALING_COLUMNS];
/* weak: each PU, and not all together, has to do as much work as in the base. */
int scaling_table(struct context *c, const struct run *run, size_t n, enum base_kind kind,
		  bool weak, struct table *rows, struct err *err);

#endif
