/* SPDX-License-Identifier: BSD-3-Clause */
/* ratio_items.h - the regions, nodes and processing units for which `sis-analyze ratio` shows
 * ratios. */
#ifndef SIS_ANALYSIS_RATIO_ITEMS_H
#define SIS_ANALYSIS_RATIO_ITEMS_H

#include "base/table.h"
#include "answers/query/pu_choice.h"
#include "repository/database/repository.h"

/* The groups of processing units in which values are added up. */
enum ratio_level { LEVEL_ALL, LEVEL_HOST, LEVEL_PROCESS, LEVEL_PU };
struct ratio_asked {
	char *types;                  /* ",CR_A,CR_B," ; NULL: all */
	const char *function, *region;
	pu_patterns pus;
	enum ratio_level level;
	bool by_node;                 /* items are nodes of the call graph; if not, regions */
};

enum {
	ITEM_ID, ITEM_NAME, ITEM_TYPE, ITEM_PLACE, ITEM_FILE, ITEM_LINE, ITEM_PATH, ITEM_DEPTH,
	ITEM_COLUMNS
};
enum { UNIT_ID, UNIT_PROCESS, UNIT_THREAD, UNIT_HOST, UNIT_COLUMNS };
extern const struct column ratio_item_columns[ITEM_COLUMNS], ratio_unit_columns[UNIT_COLUMNS];

/* Appends the regions or nodes. If a->region is a call path, its nodes are listed one by one, and
 * a->by_node is set. */
int ratio_items_fill(struct table *items, struct repo *repo, int64_t id, struct ratio_asked *a,
		     struct err *err);
/* Appends the processing units that match a->pus. Those of a group follow each other. */
int ratio_units_fill(struct table *units, struct repo *repo, int64_t id,
		     const struct ratio_asked *a, struct err *err);
struct ratio_group { size_t begin, end; }; /* rows of the table of processing units */
/* The end of the group that begins at `begin`. */
size_t ratio_group_end(const struct table *units, size_t begin, enum ratio_level level);

#endif
