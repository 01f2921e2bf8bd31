/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.c - makes the rows of a list from the cells of two looks (rows.h). Owns nothing. Called by
 * one thread.
 *
 * The cells of a look are added up in groups: one for each overhead, region or processing unit. For
 * the times since the look before, the cells of that look are subtracted. */
#include "live/top/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/sort.h"

struct sums { /* while cells are added up */
	const struct live_run *run;
	enum top_view view;
	const struct top_choice *choice;
	size_t groups;
	struct top_times *all, *now; /* by group */
	const struct live_pu_state **pu; /* by processing unit; NULL if the last look lacks it */
	bool *before;                /* by processing unit: whether the look before has it */
	struct map leaf;             /* (group, leaf) -> its index in leaf_ns */
	VEC(int64_t) leaf_ns;
};

double top_share(int64_t part, int64_t whole)
{
	if (part <= 0 || whole <= 0)
		return 0;
	return part < whole ? (double)part / (double)whole : 1;
}

/* -- cells to groups --------------------------------------------------------------------------- */

static bool is_chosen_pu(const struct sums *s, uint32_t pu)
{
	return s->choice->pu == NONE || s->choice->pu == pu;
}

static bool is_chosen_overhead(const struct sums *s, enum sis_overhead leaf)
{
	return leaf != UNMEASURED && leaf != O_NONE &&
		(s->choice->overhead == O_NONE || sis_overhead_in(leaf, s->choice->overhead));
}

static void add_times(struct top_times *to, const struct sums *s, const struct live_cell *cell,
		      int sign)
{
	if (cell->leaf == O_NONE) {
		to->useful_ns = clamp_add(to->useful_ns, sign * cell->ns);
		to->calls = clamp_add(to->calls, sign * (int64_t)cell->calls);
	} else if (cell->leaf == UNMEASURED) {
		to->unmeasured_ns = clamp_add(to->unmeasured_ns, sign * cell->ns);
	} else if (is_chosen_overhead(s, cell->leaf)) {
		to->overhead_ns = clamp_add(to->overhead_ns, sign * cell->ns);
	}
}

static void add_cell(struct sums *s, struct top_times *times, const struct live_cell *cell,
		     int sign)
{
	uint32_t region = s->run->names.node.at[cell->node].region;
	if (!is_chosen_pu(s, cell->pu) ||
	    (s->choice->region != NONE && s->choice->region != region))
		return;
	if (s->view == TOP_OVERHEADS) { /* a leaf is added to all its ancestors in the tree, too */
		for (enum sis_overhead o = cell->leaf; o; o = sis_overhead_table[o].parent)
			times[o].overhead_ns = clamp_add(times[o].overhead_ns, sign * cell->ns);
		if (cell->leaf == O_NONE)
			add_times(&times[O_NONE], s, cell, sign);
		return;
	}
	uint32_t group = s->view == TOP_REGIONS ? region : cell->pu;
	add_times(&times[group], s, cell, sign);
	if (times == s->all && is_chosen_overhead(s, cell->leaf)) {
		bool fresh;
		uint32_t i = map_put(&s->leaf, group, cell->leaf, s->leaf_ns.n, &fresh);
		if (fresh)
			*vec_push(&s->leaf_ns) = 0;
		s->leaf_ns.at[i] = clamp_add(s->leaf_ns.at[i], cell->ns);
	}
}

/* If the look before lacks a unit, the unit's cells count only for `all`, not for `now`. */
static void add_cells(struct sums *s)
{
	const struct live_run *run = s->run;
	for (size_t i = 0; i < run->now.cell.n; i++) {
		add_cell(s, s->all, &run->now.cell.at[i], 1);
		if (s->before[run->now.cell.at[i].pu])
			add_cell(s, s->now, &run->now.cell.at[i], 1);
	}
	for (size_t i = 0; i < run->before.cell.n; i++)
		if (s->pu[run->before.cell.at[i].pu])
			add_cell(s, s->now, &run->before.cell.at[i], -1);
}

static void add_walls(const struct sums *s, struct top_rows *rows)
{
	const struct live_run *run = s->run;
	rows->now_ns = run->looks > 1 ? run->now.t_p_ns - run->before.t_p_ns : 0;
	for (size_t i = 0; i < run->now.pu.n; i++) {
		uint32_t pu = run->now.pu.at[i].pu;
		if (!is_chosen_pu(s, pu))
			continue;
		rows->pus++;
		rows->wall_ns = clamp_add(rows->wall_ns, run->now.t_p_ns);
		if (s->before[pu])
			rows->now_wall_ns = clamp_add(rows->now_wall_ns, rows->now_ns);
	}
}

/* -- groups to rows ---------------------------------------------------------------------------- */

static bool is_empty(const struct top_times *times)
{
	return !times->overhead_ns && !times->useful_ns && !times->unmeasured_ns && !times->calls;
}

static void add_row(const struct sums *s, struct top_rows *rows, uint32_t group, int depth)
{
	struct top_row *row = vec_push(&rows->row);
	*row = (struct top_row){ .id = group, .depth = depth, .all = s->all[group],
				 .now = s->now[group] };
	if (s->view == TOP_PUS)
		row->pu = s->pu[group];
	if (s->view == TOP_OVERHEADS || row->all.overhead_ns <= 0)
		return;
	int64_t most = 0;
	for (int leaf = 1; leaf < SIS_OVERHEADS; leaf++) {
		uint32_t i = map_get(&s->leaf, row->id, (uint64_t)leaf);
		if (i != MAP_NONE && s->leaf_ns.at[i] > most) {
			most = s->leaf_ns.at[i];
			row->worst = (enum sis_overhead)leaf;
		}
	}
}

static void add_times_to(struct top_times *to, const struct top_times *times)
{
	to->overhead_ns = clamp_add(to->overhead_ns, times->overhead_ns);
	to->useful_ns = clamp_add(to->useful_ns, times->useful_ns);
	to->unmeasured_ns = clamp_add(to->unmeasured_ns, times->unmeasured_ns);
	to->calls = clamp_add(to->calls, times->calls);
}

static void add_groups(const struct sums *s, struct top_rows *rows)
{
	for (uint32_t g = 0; g < s->groups; g++) {
		bool shown = s->view == TOP_PUS ? s->pu[g] && is_chosen_pu(s, g) :
						  !is_empty(&s->all[g]);
		add_times_to(&rows->all, &s->all[g]);
		add_times_to(&rows->now, &s->now[g]);
		if (shown)
			add_row(s, rows, g, 0);
	}
}

/* -- order ------------------------------------------------------------------------------------- */

struct order { enum top_sort sort; enum top_view view; const struct live_names *names; };

static int64_t sort_value(const struct order *order, const struct top_row *row)
{
	switch (order->sort) {
	case SORT_NOW: return row->now.overhead_ns;
	case SORT_USEFUL: return row->all.useful_ns;
	case SORT_CALLS: return row->all.calls;
	case SORT_AGE: return row->pu ? row->pu->age_ns : 0;
	default: return row->all.overhead_ns;
	}
}

static int compare_numbers(const struct top_row *a, const struct top_row *b)
{
	if (a->pu && b->pu)
		return ORDER(a->pu->process, b->pu->process) ?: ORDER(a->pu->slot, b->pu->slot);
	return ORDER(a->id, b->id);
}

/* Rows with equal values keep their order, so that a list does not jump. */
static int compare_rows(const void *va, const void *vb, void *context)
{
	const struct top_row *a = va, *b = vb;
	const struct order *order = context;
	if (order->sort != SORT_ORDER)
		return ORDER(sort_value(order, b), sort_value(order, a)) ?: compare_numbers(a, b);
	if (order->view != TOP_REGIONS)
		return compare_numbers(a, b);
	const struct live_region *region = order->names->region.at;
	return strcmp(region[a->id].name, region[b->id].name) ?: ORDER(a->id, b->id);
}

static void sort_rows(struct top_rows *rows, size_t first, struct order *order)
{
	if (rows->row.n > first + 1)
		qsort_r(rows->row.at + first, rows->row.n - first, sizeof *rows->row.at,
			compare_rows, order);
}

/* Adds the children of an overhead whose times are not zero, in order. Each child is followed by
 * its own children. */
static void add_branch(const struct sums *s, struct top_rows *rows, enum sis_overhead parent,
		       int depth, struct order *order)
{
	struct top_rows level = { 0 };
	for (uint32_t o = 1; o < SIS_OVERHEADS; o++)
		if (sis_overhead_table[o].parent == parent && !is_empty(&s->all[o]) &&
		    (parent != O_NONE || o == OTOTAL || o == UNMEASURED))
			add_row(s, &level, o, depth);
	sort_rows(&level, 0, order);
	for (size_t i = 0; i < level.row.n; i++) {
		*vec_push(&rows->row) = level.row.at[i];
		add_branch(s, rows, (enum sis_overhead)level.row.at[i].id, depth + 1, order);
	}
	vec_free(&level.row);
}

/* Makes the rows of the tree. The first one is useful work. If an overhead is chosen, the tree has
 * only its branch. */
static void add_tree(const struct sums *s, struct top_rows *rows, struct order *order)
{
	enum sis_overhead chosen = s->choice->overhead;
	rows->all = (struct top_times){ s->all[chosen ?: OTOTAL].overhead_ns,
					s->all[O_NONE].useful_ns, s->all[UNMEASURED].overhead_ns,
					s->all[O_NONE].calls };
	rows->now = (struct top_times){ s->now[chosen ?: OTOTAL].overhead_ns,
					s->now[O_NONE].useful_ns, s->now[UNMEASURED].overhead_ns,
					s->now[O_NONE].calls };
	add_row(s, rows, chosen, 0);
	add_branch(s, rows, chosen, chosen != O_NONE, order);
}

/* -- all rows ---------------------------------------------------------------------------------- */

void top_rows_make(struct top_rows *rows, const struct live_run *run, enum top_view view,
		   const struct top_choice *choice, enum top_sort sort)
{
	struct order order = { sort, view, &run->names };
	struct sums s = { .run = run, .view = view, .choice = choice,
			  .groups = view == TOP_OVERHEADS ? SIS_OVERHEADS :
				    view == TOP_REGIONS	  ? run->names.region.n :
							    run->names.pu.n };
	*rows = (struct top_rows){ 0 };
	s.all = mem_alloc(s.groups, sizeof *s.all);
	s.now = mem_alloc(s.groups, sizeof *s.now);
	s.pu = mem_alloc(run->names.pu.n, sizeof *s.pu);
	s.before = mem_alloc(run->names.pu.n, sizeof *s.before);
	for (size_t i = 0; i < run->now.pu.n; i++)
		s.pu[run->now.pu.at[i].pu] = &run->now.pu.at[i];
	for (size_t i = 0; i < run->before.pu.n; i++)
		s.before[run->before.pu.at[i].pu] = true;
	add_cells(&s);
	add_walls(&s, rows);
	if (view == TOP_OVERHEADS) {
		add_tree(&s, rows, &order);
	} else {
		add_groups(&s, rows);
		sort_rows(rows, 0, &order);
	}
	free(s.all), free(s.now), free(s.pu), free(s.before);
	map_free(&s.leaf), vec_free(&s.leaf_ns);
}

void top_rows_release(struct top_rows *rows)
{
	vec_free(&rows->row);
	*rows = (struct top_rows){ 0 };
}
