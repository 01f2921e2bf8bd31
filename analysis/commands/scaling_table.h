/* SPDX-License-Identifier: BSD-3-Clause */
/* scaling_table.h - the efficiencies of several experiments side by side, compared with the first
 * one. */
#ifndef SIS_ANALYSIS_SCALING_TABLE_H
#define SIS_ANALYSIS_SCALING_TABLE_H

#include "commands/command.h"
#include "commands/scaling_base.h"
#include "answers/query/runs.h"

/* The columns of `rows` (scaling_table). */
enum { SCALING_COLUMNS = 7 };
extern const struct column scaling_columns[SCALING_COLUMNS];
/* Computes the efficiencies of n runs, the first of which is the base or a repetition of the base.
 * Prints them as text. For --json and --csv, adds a row for each run and factor to `rows`, which
 * the caller prints. weak: each PU does as much work as a PU of the base; otherwise, all PUs
 * together do as much as those of the base. */
int scaling_table(struct context *c, const struct run *run, size_t n, enum base_kind kind,
		  bool weak, struct table *rows, struct err *err);

#endif
