/* SPDX-License-Identifier: BSD-3-Clause */
/* overhead_lists.c - see overhead_lists.h. One thread. Rows of regions are made with all columns; a
 * list shows the columns that its options choose. */
#include "commands/overhead_lists.h"

#include "base/ratio.h"
#include "commands/table_view.h"
#include "answers/query/explain.h"
#include "answers/query/reference_runs.h"
#include "repository/database/pu_leaves.h"

/* -- by processing unit ------------------------------------------------------------------------ */

static const struct column pu_columns[] = {
	{ "process", "process", CELL_INTEGER }, { "thread", "thread", CELL_INTEGER },
	{ "overhead", "overhead", CELL_TEXT }, { "seconds", "seconds", CELL_SECONDS },
};

/* ?1 experiment, ?2 overhead or null. */
static const char by_unit[] =
	"SELECT u.process, u.thread, a.name, sum(l.ns) "
	"FROM temp.pu_leaf l "
	"JOIN processing_unit u ON u.id = l.pu "
	"JOIN overhead_ancestor a ON a.leaf = l.leaf AND (?2 IS NULL OR a.name = ?2) "
	"JOIN overhead_kind k ON k.name = a.name "
	"WHERE l.experiment = ?1 AND l.pu IN (SELECT pu FROM temp.chosen_pu) "
	"GROUP BY u.id, a.name "
	"HAVING sum(l.ns) <> 0 "
	"ORDER BY u.process, u.thread, k.place";

static int print_by_pu(struct context *c, int64_t id, enum sis_overhead overhead, struct err *err)
{
	struct table table;
	const char *name = overhead ? sis_overhead_table[overhead].name : NULL;
	table_init(&table, pu_columns, sizeof pu_columns / sizeof *pu_columns);
	int rc = pu_leaves_load(c->repo, id, err);
	rc = rc ? rc : repo_fill(c->repo, &table, err, by_unit, "it", id, name);
	rc = rc ? rc : shape_print(c, &table, "overhead", err);
	table_release(&table);
	return rc;
}

/* -- by region --------------------------------------------------------------------------------- */

static const struct column region_columns[CHOSEN_COLUMNS] = {
	[CHOSEN_PROCESS] = { "process", "process", CELL_INTEGER },
	[CHOSEN_THREAD] = { "thread", "thread", CELL_INTEGER },
	[CHOSEN_NAME] = { "region", "region", CELL_TEXT },
	[CHOSEN_TITLE] = { NULL, "region", CELL_TEXT },
	[CHOSEN_FILE] = { "file", "file", CELL_TEXT },
	[CHOSEN_LINE] = { "line_start", "line", CELL_INTEGER },
	[CHOSEN_OVERHEAD] = { "overhead", "overhead", CELL_TEXT },
	[CHOSEN_NS] = { "seconds", "seconds", CELL_SECONDS },
	[CHOSEN_PATH] = { "path", NULL, CELL_TEXT },
};

struct listing {
	struct table table;
	struct column column[CHOSEN_COLUMNS];
	size_t of[CHOSEN_COLUMNS]; /* the cell of each shown column */
};

static int take_row(void *arg, const struct cell *row, struct err *err)
{
	struct listing *l = arg;
	(void)err;
	for (size_t i = 0; i < l->table.columns; i++)
		table_copy(&l->table, &row[l->of[i]]);
	return 0;
}

/* Prints rows of regions. Processing units are shown with by_pu, and call paths, which have their
 * own title, with by_path. */
static int print_regions(struct context *c, const struct overhead_list *list, bool by_path,
			 struct err *err)
{
	struct listing l;
	bool by_pu = list->choice.by_pu;
	size_t n = 0;
	for (size_t i = by_pu ? CHOSEN_PROCESS : CHOSEN_NAME; i < CHOSEN_COLUMNS; i++) {
		if (!by_path && (i == CHOSEN_TITLE || i == CHOSEN_PATH))
			continue;
		l.of[n] = i;
		l.column[n] = region_columns[i];
		if (by_path && i == CHOSEN_NAME)
			l.column[n].title = NULL;
		n++;
	}
	table_init(&l.table, l.column, n);
	int rc = chosen_overheads_each(c->repo, &list->choice, by_pu ? 1 : list->units, take_row,
				       &l, err);
	rc = rc ? rc : shape_print(c, &l.table, "overhead", err);
	table_release(&l.table);
	return rc;
}

static int print_explanation(struct context *c, int64_t id, enum sis_overhead node, struct err *err)
{
	struct table table;
	table_init(&table, explain_columns, EXPLAIN_COLUMNS);
	int rc = explain_fill(&table, c->repo, id, node, err);
	rc = rc ? rc : shape_print(c, &table, "overhead", err);
	table_release(&table);
	return rc;
}

/* -- the lists --------------------------------------------------------------------------------- */

static int print_list(struct context *c, int64_t id, const struct overhead_list *list,
		      struct err *err)
{
	struct region_choice choice;
	if (list->choice.by_pu && !list->choice.region)
		return print_by_pu(c, id, list->choice.overhead, err);
	/* What the reference runs explain is known only of all processing units together. */
	struct references references = { 0 };
	if (list->choice.references &&
	    references_load(&references, c->repo, id, list->seq, list->par1, err))
		return ERR_FAILED;
	int rc = references_keep(&references, c->repo, err);
	references_release(&references);
	if (rc || chosen_overheads_load(&choice, c->repo, id, &list->choice, err))
		return ERR_FAILED;
	rc = list->explain ? print_explanation(c, id, list->choice.overhead, err) :
			     print_regions(c, list, choice.by_path, err);
	if (rc == 0 && c->format == FORMAT_TEXT && list->choice.region)
		region_choice_print(&choice, list->choice.region);
	return rc;
}

int overhead_list_print(struct context *c, int64_t id, const struct overhead_list *list,
			struct err *err)
{
	int rc = print_list(c, id, list, err);
	if (rc == 0 && c->format == FORMAT_TEXT && list->has_interval)
		interval_notes_print(&list->interval);
	return rc;
}

/* -- intervals --------------------------------------------------------------------------------- */

void interval_notes_print(const struct interval_overheads *i)
{
	char share[RATIO_ROOM];
	int64_t all = i->useful_ns + i->leaves_ns;
	if (i->uncertain_ns)
		printf("\nUncertain: at most %.6f s of all processing units together, %s of their "
		       "time.\nThe trace has the time in a region; what a part of it was is "
		       "estimated from the whole run.\n", (double)i->uncertain_ns / 1e9,
		       ratio_share(share, (double)i->uncertain_ns / (double)all));
	if (i->gaps.ns)
		printf("\nNot known: %.6f s of %zu processing units, for which the trace has no "
		       "events there.\nThey are UNMEASURED.\n", (double)i->gaps.ns / 1e9,
		       i->gaps.units);
}
