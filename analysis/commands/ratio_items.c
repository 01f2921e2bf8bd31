/* SPDX-License-Identifier: BSD-3-Clause */
/* ratio_items.c - see ratio_items.h. Owns nothing; one thread. */
#include "commands/ratio_items.h"

#include <string.h>

#include "answers/query/call_tree.h"
#include "answers/query/region_choice.h"

const struct column ratio_item_columns[ITEM_COLUMNS] = {
	{ "id", "", CELL_INTEGER }, { "region", "", CELL_TEXT }, { "type", "", CELL_TEXT },
	{ "place", "", CELL_TEXT }, { "file", "", CELL_TEXT },	 { "line_start", "", CELL_INTEGER },
	{ "path", "", CELL_TEXT },  { "depth", "", CELL_INTEGER },
};
/* ?1 experiment, ?2 types, ?3 function */
#define PASSES \
	"WHERE experiment = ?1 AND (?2 IS NULL OR instr(?2, ',' || type || ',')) " \
	"AND (?3 IS NULL OR unit = ?3) "
#define DESCRIPTION \
	"region, type, summary.place, file, line_start, "
#define REGIONS(which) \
	"SELECT region_id, " DESCRIPTION "NULL, 0 FROM summary " PASSES which \
	" GROUP BY region_id ORDER BY sum(excl_ns) DESC, region_id"
#define NODES(which) \
	CALL_TREE "SELECT drg_node, " DESCRIPTION "path, depth FROM summary " \
	"JOIN placed l ON l.id = drg_node " PASSES which " GROUP BY drg_node ORDER BY l.place"

static const char of_all[] = REGIONS(""), nodes_of_all[] = NODES("");
static const char of_region[] = REGIONS("AND region_id IN (SELECT region FROM temp.chosen)");
static const char nodes_of_region[] =
	NODES("AND drg_node IN (SELECT node FROM temp.chosen_node)");
/* Only the nodes of the call path's last region, without the nodes that the runtime adds below. */
static const char nodes_of_path[] =
	NODES("AND drg_node IN (SELECT node FROM temp.chosen_node) "
	      "AND region_id IN (SELECT region FROM temp.chosen)");

int ratio_items_fill(struct table *items, struct repo *repo, int64_t id, struct ratio_asked *a,
		     struct err *err)
{
	struct region_choice choice = { .n = 0 };
	const char *sql = a->by_node ? nodes_of_all : of_all;
	enum region_extent extent = a->by_node ? REGION_INCLUSIVE : REGION_EXCLUSIVE;
	if (a->region && region_choice_load(&choice, repo, id, a->region, extent, err))
		return ERR_FAILED;
	if (a->region)
		sql = a->by_node ? nodes_of_region : choice.by_path ? nodes_of_path : of_region;
	a->by_node |= choice.by_path;
	return repo_fill(repo, items, err, sql, "itt", id, a->types, a->function);
}

const struct column ratio_unit_columns[UNIT_COLUMNS] = { { "id", "", CELL_INTEGER },
					    { "process", "", CELL_INTEGER },
					    { "thread", "", CELL_INTEGER },
					    { "host", "", CELL_TEXT } };
/* ?1 experiment, ?2 whether by host */
static const char pus[] =
	"SELECT u.id, u.process, u.thread, m.host "
	"FROM processing_unit u "
	"JOIN node n ON n.id = u.node "
	"JOIN physical_machine m ON m.id = n.physical_machine "
	"WHERE u.experiment = ?1 "
	"ORDER BY iif(?2, m.host, ''), u.process, u.thread";

struct taking { struct table *pu; const pu_patterns *patterns; };

static int take_pu(void *arg, const struct cell *row, struct err *err)
{
	struct taking *t = arg;
	(void)err;
	if (!pu_patterns_match(t->patterns, row[UNIT_PROCESS].integer, row[UNIT_THREAD].integer))
		return 0;
	for (int i = 0; i < UNIT_COLUMNS; i++)
		table_copy(t->pu, &row[i]);
	return 0;
}

int ratio_units_fill(struct table *units, struct repo *repo, int64_t id,
		     const struct ratio_asked *a, struct err *err)
{
	struct taking taking = { units, &a->pus };
	return repo_each(repo, take_pu, &taking, err, pus, "ii", id,
			 (int64_t)(a->level == LEVEL_HOST));
}

static bool is_same_group(const struct cell *a, const struct cell *b, enum ratio_level level)
{
	switch (level) {
	case LEVEL_PU: return false;
	case LEVEL_PROCESS: return a[UNIT_PROCESS].integer == b[UNIT_PROCESS].integer;
	case LEVEL_HOST: return strcmp(a[UNIT_HOST].text, b[UNIT_HOST].text) == 0;
	default: return true;
	}
}

size_t ratio_group_end(const struct table *pu, size_t begin, enum ratio_level level)
{
	size_t end = begin + 1;
	const struct cell *first = table_cell(pu, begin, 0);
	while (end < table_rows(pu) && is_same_group(first, table_cell(pu, end, 0), level))
		end++;
	return end;
}
