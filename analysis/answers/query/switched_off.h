/* SPDX-License-Identifier: BSD-3-Clause */
/* switched_off.h - finds what was switched off for a part of the run by rules, sis-analyze control
 * or the program itself: regions, counters, the trace, or all measurement. */
#ifndef SIS_ANALYSIS_SWITCHED_OFF_H
#define SIS_ANALYSIS_SWITCHED_OFF_H

#include <stdio.h>

#include "base/table.h"
#include "repository/database/repository.h"

/* Loads a row for each thing that was off and each cause, over all processes, in the order of
 * times. The caller releases the table, also after an error. */
int switched_off_load(struct table *table, struct repo *repo, int64_t experiment, struct err *err);
/* Prints at most `most` lines. Regions that the same action had off at the same times share a
 * line. */
void switched_off_print(const struct table *table, size_t most, FILE *out);
void switched_off_json(const struct table *table, struct json *json);

/* SQL: the rows of a region in one process, or of the unmeasured time of a thread, as a JSON array.
 * The arguments are columns. */
#define SWITCHED_OFF_SECONDS(ns) \
	"json(printf('%d.%09d', " ns " / 1000000000, " ns " % 1000000000))"
#define SWITCHED_OFF_JSON(region, type, process, thread) \
	"(SELECT json_group_array(json_object('what', w.what, 'cause', w.cause, 'rule', w.place, " \
	"'action', w.action, 'times', w.times, 'from', " SWITCHED_OFF_SECONDS("w.first_ns") ", " \
	"'to', CASE WHEN w.on_ns IS NOT NULL THEN " SWITCHED_OFF_SECONDS("w.on_ns") " END, " \
	"'seconds', " SWITCHED_OFF_SECONDS("w.off_ns") ")) FROM switched_off w " \
	"WHERE w.experiment = ?1 AND w.process = " process " AND w.region IS " \
	"iif(" type " = 'RT_UNMEASURED', NULL, " region ") " \
	"AND (w.region IS NOT NULL OR w.thread = " thread "))"

#endif
