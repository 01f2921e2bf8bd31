/* SPDX-License-Identifier: BSD-3-Clause */
/* list.c - writes lists of overheads, regions and units (list.h). Each list has a description of
 * its columns. The first column takes the width that the other columns leave. Called by one
 * thread. */
#include "live/top/list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ratio.h"

const char *top_duration(char *text, int64_t ns)
{
	double s = (double)ns / 1e9;
	if (ns < 0)
		snprintf(text, TOP_DURATION, "-");
	else if (s < 100)
		snprintf(text, TOP_DURATION, "%.1f s", s);
	else if (s < 6000)
		snprintf(text, TOP_DURATION, "%d min %02d s", (int)s / 60, (int)s % 60);
	else
		snprintf(text, TOP_DURATION, "%lld h %02d min", (long long)s / 3600,
			 (int)((long long)s / 60 % 60));
	return text;
}

/* -- columns ----------------------------------------------------------------------------------- */

enum { CELL = 64, NAME_LEAST = 24, NAME_MOST = 60, TREE = 26 /* the longest overhead fits */ };

struct line { const struct top *top; const struct live_run *run; const struct top_row *row; };
typedef void cell_fn(char *cell, const struct line *line);

struct top_column {
	const char *title;
	int width;               /* negative if the column is aligned to the left */
	cell_fn *fill;
	enum top_sort sort;      /* TOP_SORTS if it cannot be sorted by the column */
};

static void seconds(char *cell, int64_t ns, int64_t units)
{
	snprintf(cell, CELL, "%.3f", (double)ns / 1e9 / (double)(units ?: 1));
}

static void put_overhead_seconds(char *cell, const struct line *l)
{
	bool useful = l->top->at.view == TOP_OVERHEADS && l->row->id == O_NONE;
	seconds(cell, useful ? l->row->all.useful_ns : l->row->all.overhead_ns,
		l->top->rows.pus);
}

static void put_useful_seconds(char *cell, const struct line *l)
{
	seconds(cell, l->row->all.useful_ns, l->top->rows.pus);
}

static int64_t own_ns(const struct line *l, const struct top_times *t)
{
	return l->top->at.view == TOP_OVERHEADS && l->row->id == O_NONE ? t->useful_ns :
									  t->overhead_ns;
}

/* Writes the row's share of the wall time. In the list of units, this is the wall time of the row's
 * unit; in the other lists, that of all chosen units. */
static void put_share_all(char *cell, const struct line *l)
{
	const struct top_rows *rows = &l->top->rows;
	int64_t wall = l->row->pu ? rows->wall_ns / (rows->pus ?: 1) : rows->wall_ns;
	ratio_share(cell, top_share(own_ns(l, &l->row->all), wall));
}

static void put_share_now(char *cell, const struct line *l)
{
	const struct top_rows *rows = &l->top->rows;
	int64_t wall = l->row->pu ? rows->now_ns : rows->now_wall_ns;
	if (wall)
		ratio_share(cell, top_share(own_ns(l, &l->row->now), wall));
	else
		strcpy(cell, "-");
}

static void put_share_useful(char *cell, const struct line *l)
{
	const struct top_rows *rows = &l->top->rows;
	ratio_share(cell, top_share(l->row->all.useful_ns, rows->wall_ns / (rows->pus ?: 1)));
}

static void put_calls(char *cell, const struct line *l)
{
	snprintf(cell, CELL, "%lld", (long long)l->row->all.calls);
}

static void put_calls_rate(char *cell, const struct line *l)
{
	int64_t ns = l->top->rows.now_ns, n = l->row->now.calls;
	if (ns > 0)
		snprintf(cell, CELL, "%.0f", (double)(n > 0 ? n : 0) / ((double)ns / 1e9));
	else
		strcpy(cell, "-");
}

static void put_worst_leaf(char *cell, const struct line *l)
{
	snprintf(cell, CELL, "%s", l->row->worst ? sis_overhead_table[l->row->worst].name : "");
}

static void put_description(char *cell, const struct line *l)
{
	snprintf(cell, CELL, "%s",
		 l->row->id ? sis_overhead_table[l->row->id].description : "");
}

static void put_age(char *cell, const struct line *l)
{
	char t[TOP_DURATION];
	snprintf(cell, CELL, "%s", l->row->pu->idle ? "-" : top_duration(t, l->row->pu->age_ns));
}

/* How long the unit has been in its node, or why it is in none. */
static void put_where(char *cell, const struct line *l)
{
	const struct live_pu_state *pu = l->row->pu;
	char t[TOP_DURATION];
	snprintf(cell, CELL, "%s", !pu->runs ? "ended" : pu->idle ? "idle" :
		 top_duration(t, pu->since_ns));
}

static const struct top_column overhead_columns[] = {
	{ "seconds", 12, put_overhead_seconds, SORT_OVERHEAD },
	{ "of T_p", 8, put_share_all, TOP_SORTS },
	{ "now", 8, put_share_now, SORT_NOW },
	{ "", -50, put_description, TOP_SORTS },
	{ NULL, 0, NULL, TOP_SORTS },
};
static const struct top_column region_columns[] = {
	{ "overhead s", 12, put_overhead_seconds, SORT_OVERHEAD },
	{ "of T_p", 8, put_share_all, TOP_SORTS },
	{ "now", 8, put_share_now, SORT_NOW },
	{ "useful s", 12, put_useful_seconds, SORT_USEFUL },
	{ "calls", 11, put_calls, SORT_CALLS },
	{ "calls/s", 9, put_calls_rate, TOP_SORTS },
	{ "mostly", -16, put_worst_leaf, TOP_SORTS },
	{ NULL, 0, NULL, TOP_SORTS },
};
static const struct top_column pu_columns[] = {
	{ "overhead", 9, put_share_all, SORT_OVERHEAD },
	{ "now", 8, put_share_now, SORT_NOW },
	{ "useful", 8, put_share_useful, SORT_USEFUL },
	{ "calls", 11, put_calls, SORT_CALLS },
	{ "probe", 13, put_age, SORT_AGE },
	{ "mostly", -16, put_worst_leaf, TOP_SORTS },
	{ "in it for", 13, put_where, TOP_SORTS },
	{ NULL, 0, NULL, TOP_SORTS },
};
static const struct { const char *name; const struct top_column *column; } lists[TOP_VIEWS] = {
	[TOP_OVERHEADS] = { "overhead", overhead_columns },
	[TOP_REGIONS] = { "region", region_columns },
	[TOP_PUS] = { "unit", pu_columns },
};

/* -- lines ------------------------------------------------------------------------------------- */

/* The text of the first column. */
static char *title_of(const struct top *top, const struct live_run *run, const struct top_row *row)
{
	if (top->at.view == TOP_REGIONS) {
		const struct live_region *r = &run->names.region.at[row->id];
		const char *slash = strrchr(r->file, '/');
		return r->line ? mem_print("%s  %s:%u", r->name, slash ? slash + 1 : r->file,
					   r->line)
			       : mem_string(r->name);
	}
	if (top->at.view == TOP_PUS) {
		/* "0.1 4711  main > solve"; if there are several hosts, the host is before 4711 */
		const struct live_pu *pu = &run->names.pu.at[row->id];
		char *path = live_names_path(&run->names, row->pu->node, 3);
		bool many = run->now.hosts > 1;
		char *title = mem_print("%u.%u %s%s%u  %s", row->pu->process, row->pu->slot,
					many ? pu->host : "", many ? ":" : "", pu->pid,
					row->pu->idle ? "" : path);
		free(path);
		return title;
	}
	char *name = top_row_name(run, TOP_OVERHEADS, row);
	char *title = mem_print("%*s%s", 2 * row->depth, "", name);
	free(name);
	return title;
}

static void put_row(struct top_page *page, const struct top *top, const struct live_run *run,
		    size_t i, size_t width)
{
	const struct line line = { top, run, &top->rows.row.at[i] };
	enum top_style style = i == top->cursor			 ? STYLE_CURSOR :
			       top_matches(top, run, line.row) ? STYLE_MATCH :
								 STYLE_PLAIN;
	char *title = title_of(top, run, line.row), *shown = top_page_cell(page, title, width);
	top_page_line(page);
	top_page_put(page, style, "%s", shown);
	free(title), free(shown);
	for (const struct top_column *c = lists[top->at.view].column; c->title; c++) {
		char cell[CELL] = "";
		c->fill(cell, &line);
		top_page_put(page, style, " %*s", c->width, cell);
	}
}

void top_list(struct top_page *page, const struct top *top, const struct live_run *run, size_t rows)
{
	const struct top_column *columns = lists[top->at.view].column;
	enum top_sort sort = top->sort[top->at.view];
	char title[CELL];
	/* The first column takes the width that the other columns leave, but at least NAME_LEAST.
	 * So on a narrow screen, the last columns are cut. In the list of overheads, the first
	 * column has a fixed width, and the description in the last column takes the rest. */
	size_t others = 0, width = TREE;
	for (const struct top_column *c = columns; c->title; c++)
		others += (size_t)abs(c->width) + 1;
	size_t room = page->width > others ? page->width - others : 0;
	if (top->at.view != TOP_OVERHEADS)
		width = page->width == 0 || room > NAME_MOST ? NAME_MOST :
			room < NAME_LEAST		     ? NAME_LEAST :
							       room;
	snprintf(title, sizeof title, "%s%s", sort == SORT_ORDER ? "*" : "",
		 lists[top->at.view].name);
	top_page_line(page);
	top_page_put(page, STYLE_HEAD, "%-*s", (int)width, title);
	for (const struct top_column *c = columns; c->title; c++) {
		snprintf(title, sizeof title, "%s%s", c->sort == sort ? "*" : "", c->title);
		top_page_put(page, STYLE_HEAD, " %*s", c->width, title);
	}
	for (size_t i = top->first; i < top->rows.row.n && i < top->first + rows; i++)
		put_row(page, top, run, i, width);
	if (top->rows.row.n == 0 && rows) {
		top_page_line(page);
		top_page_put(page, STYLE_DIM, "nothing so far");
	}
}
