/* SPDX-License-Identifier: BSD-3-Clause */
/* off_inside.h - finds which regions' times include the times of regions that were off. While
 * SIS_OVERHEAD or a rule has a region off, its time belongs to the region around it. */
#ifndef SIS_ANALYSIS_OFF_INSIDE_H
#define SIS_ANALYSIS_OFF_INSIDE_H

#include <stdio.h>

#include "base/table.h"
#include "repository/database/repository.h"

/* Makes temp.off_inside (node, region): a node of the call graph whose region was on, and a region
 * below it that was off. If a region was off inside of another region that was off, both belong to
 * the nearest node above whose region was on. */
int off_inside_load(struct repo *repo, int64_t experiment, struct err *err);

/* SQL, after off_inside_load: the names of the regions that were off inside a node or a region, as
 * a JSON array or as text. The text has at most ten names, and is NULL if there are none. */
#define OFF_INSIDE_FROM(which) \
	"FROM (SELECT DISTINCT off_region.id, off_region.name FROM temp.off_inside o " \
	"JOIN code_region off_region ON off_region.id = o.region WHERE o.node " which " " \
	"ORDER BY off_region.name, off_region.id)"
#define OFF_INSIDE_JSON(which) "(SELECT json_group_array(name) " OFF_INSIDE_FROM(which) ")"
#define OFF_INSIDE_TEXT(which) \
	"(SELECT CASE count(*) WHEN 0 THEN NULL WHEN 1 THEN '1 region that is off: ' ELSE " \
	"count(*) || ' regions that are off: ' END " \
	"|| group_concat(CASE WHEN place <= 10 THEN name END, ', ') " \
	"|| CASE WHEN count(*) > 10 THEN ', ...' ELSE '' END " \
	"FROM (SELECT name, row_number() OVER () AS place " OFF_INSIDE_FROM(which) "))"
#define OFF_INSIDE_NODE(node) "= " node
#define OFF_INSIDE_REGION(region) "IN (SELECT id FROM drg_node WHERE region = " region \
	" AND experiment = ?1)"

/* Loads a row for each region whose times include the times of other regions. off_inside_load must
 * be called before. The caller releases the table, also after an error. */
int off_inside_table(struct table *table, struct repo *repo, int64_t experiment, struct err *err);
/* Prints at most `most` lines. */
void off_inside_print(const struct table *table, size_t most, FILE *out);
void off_inside_json(const struct table *table, struct json *json);

#endif
