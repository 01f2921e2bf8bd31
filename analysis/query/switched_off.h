/* SPDX-License-Identifier: BSD-3-Clause */
/* switched_off.h - what rules, sis-analyze control and the program itself had off for a part of the
 * run: regions, counters, the trace, the measurement as a whole. */
#ifndef SIS_ANALYSIS_SWITCHED_OFF_H
#define SIS_ANALYSIS_SWITCHED_OFF_H

#include <stdio.h>

#include "base/table.h"
#include "repository/repository.h"

/* One row for each thing and cause, all processes together, in the order of their times. The caller
 * releases the table, also after an error. */
int switched_off_load(struct table *table, struct repo *repo, int64_t experiment, struct err *err);
/* At most so many lines. Regions that the same action had off at the same times share one. */
void switched_off_print(const struct table *table, size_t most, FILE *out);
void switched_off_json(const struct table *table, struct json *json);

/* SQL: the rows for a region, or for the unmeasured part of a thread, in one process, as a JSON
 * array. The arguments are columns. */
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
