/* SPDX-License-Identifier: BSD-3-Clause */
/* off_inside.h - which regions have in their times those of regions that were off: the time of a
 * region that SIS_OVERHEAD or a rule turned off belongs to the region around it. */
#ifndef SIS_ANALYSIS_OFF_INSIDE_H
#define SIS_ANALYSIS_OFF_INSIDE_H

#include <stdio.h>

#include "base/table.h"
#include "repository/repository.h"

/* Makes temp.off_inside (node, region): a node of the call graph whose region was on, and a region
 * below it that was off. What was off inside of a region that was off belongs to the same node. */
int off_inside_load(struct repo *repo, int64_t experiment, struct err *err);

/* SQL, after off_inside_load: the names for a node or a region, as a JSON array, or as text for
 * people, at most ten names and NULL if there are none. */
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

/* One row for each region that includes others; off_inside_load is called. The caller releases the
 * table, also after an error. */
int off_inside_table(struct table *table, struct repo *repo, int64_t experiment, struct err *err);
/* At most so many lines. */
void off_inside_print(const struct table *table, size_t most, FILE *out);
void off_inside_json(const struct table *table, struct json *json);

#endif
