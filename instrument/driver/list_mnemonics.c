/* SPDX-License-Identifier: BSD-3-Clause */
/* list_mnemonics.c - prints the mnemonics. Called by main.
 * The idea: the mnemonics are written only in the .def tables. */
#include "driver/list_mnemonics.h"
#include "common/base.h"
#include "tables.h"

#include <stdio.h>
#include <string.h>

static void list_regions(enum sis_region_type group, int depth)
{
	for (size_t i = 1; i < SIS_REGION_TYPES; i++) {
		const struct sis_region_info *region = &sis_region_table[i];
		if (region->group != group || !sis_region_selectable(i))
			continue;
		printf("%*s%-*s %s\n", 2 + 2 * depth, "", 22 - 2 * depth, region->name,
		       region->description);
		list_regions(i, depth + 1);
	}
}

/* -- regions that influence a metric or an overhead -------------------------------------------- */

enum { INDENT = 27, WIDTH = 100 };

/* Whether regions of the type influence the metric or overhead of a row. */
typedef bool influenced(size_t row, enum sis_region_type type);

static bool metric_influenced(size_t row, enum sis_region_type type)
{
	return sis_metric_influenced(row, type);
}

static bool overhead_influenced(size_t row, enum sis_region_type type)
{
	return sis_overhead_influenced(row, type);
}

static bool all_within(enum sis_region_type group, influenced *is, size_t row)
{
	bool all = true;
	for (size_t i = 1; i < SIS_REGION_TYPES; i++)
		if (sis_starts(sis_region_table[i].name, "CR_") &&
		    (group == CR_NONE || sis_region_in(i, group)))
			all &= is(row, i);
	return all;
}

/* Prints the largest groups of regions whose members all influence the row. The lines begin with <,
 * so that scripts do not read them as rows. */
static void list_influences(influenced *is, size_t row)
{
	int column = 0;
	if (all_within(CR_NONE, is, row)) {
		printf("%*s< any region\n", INDENT - 1, "");
		return;
	}
	for (size_t i = 1; i < SIS_REGION_TYPES; i++) {
		const struct sis_region_info *region = &sis_region_table[i];
		bool said = region->group != CR_NONE && all_within(region->group, is, row);
		if (!sis_starts(region->name, "CR_") || said || !all_within(i, is, row))
			continue;
		if (column == 0 || column + (int)strlen(region->name) + 1 > WIDTH)
			column = printf("%s%*s<", column ? "\n" : "", INDENT - 1, "") -
				(column != 0);
		column += printf(" %s", region->name);
	}
	if (column)
		puts("");
}

/* -- the tables -------------------------------------------------------------------------------- */

static void list_overheads(enum sis_overhead parent, int depth)
{
	for (size_t i = 1; i < SIS_OVERHEADS; i++) {
		if (sis_overhead_table[i].parent != parent)
			continue;
		printf("%*s%-*s %s\n", 2 + 2 * depth, "", 22 - 2 * depth,
		       sis_overhead_table[i].name, sis_overhead_table[i].description);
		list_influences(overhead_influenced, i);
		list_overheads(i, depth + 1);
	}
}

void sis_list_mnemonics(void)
{
	puts("code regions (a group stands for its members):");
	list_regions(CR_NONE, 0);
	puts("\nmetrics (< the regions that `pmetric` alone selects for it):");
	for (size_t i = 1; i < SIS_METRICS; i++) {
		printf("  %-22s %s%s\n", sis_metric_table[i].name, sis_metric_table[i].description,
		       sis_metric_table[i].is_default ? " (default)" : "");
		list_influences(metric_influenced, i);
	}
	printf("  %-22s %s\n", "PAPI(EVENT)", "any native event of PAPI");
	puts("\noverheads (a node stands for those below it; < the regions that influence it):");
	list_overheads(O_NONE, 0);
}
