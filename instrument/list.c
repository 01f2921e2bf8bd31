/* list.c - prints the mnemonics. Called by main.
 * The idea: the .def tables are the only place where they are written. */
#include "list.h"
#include "base.h"
#include "tables.h"

#include <stdio.h>

static void list_regions(enum sis_region_type group, int depth)
{
	for (size_t i = 1; i < SIS_REGION_TYPES; i++) {
		const struct sis_region_info *region = &sis_region_table[i];
		if (region->group != group || !sis_starts(region->name, "CR_"))
			continue;
		printf("%*s%-*s %s\n", 2 + 2 * depth, "", 22 - 2 * depth, region->name, region->description);
		list_regions(i, depth + 1);
	}
}

static void list_metrics(void)
{
	for (size_t i = 1; i < SIS_METRICS; i++)
		printf("  %-22s %s%s\n", sis_metric_table[i].name, sis_metric_table[i].description,
		       sis_metric_table[i].is_default ? " (default)" : "");
	printf("  %-22s %s\n", "PAPI(EVENT)", "any native event of PAPI");
}

static void list_overheads(enum sis_overhead parent, int depth)
{
	for (size_t i = 1; i < SIS_OVERHEADS; i++) {
		if (sis_overhead_table[i].parent != parent)
			continue;
		printf("%*s%-*s %s\n", 2 + 2 * depth, "", 22 - 2 * depth, sis_overhead_table[i].name,
		       sis_overhead_table[i].description);
		list_overheads(i, depth + 1);
	}
}

void sis_list(void)
{
	puts("code regions (a group stands for its members):");
	list_regions(CR_NONE, 0);
	puts("\nmetrics:");
	list_metrics();
	puts("\noverheads (a node stands for those below it):");
	list_overheads(O_NONE, 0);
}
