/* SPDX-License-Identifier: BSD-3-Clause */
/* draw.c - makes the page that `top` shows: head, heat strip, a list, keys (top.h). Called by one
 * thread. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ratio.h"
#include "live/top/heat.h"
#include "live/top/list.h"
#include "live/top/top.h"

/* -- head -------------------------------------------------------------------------------------- */

static const char *plural(int64_t n, const char *one, const char *many)
{
	return n == 1 ? one : many;
}

/* Writes the program, its processes, and how often there is a look. */
static void put_run(struct top_page *page, const struct top *top, const struct live_run *run)
{
	const struct live_look *look = &run->now;
	int64_t pause = live_pause_ns(run, top->interval_ns);
	char t[TOP_DURATION];
	const char *slash = strrchr(run->program, '/'),
		   *state = run->state == LIVE_RUNS  ? "runs" :
			    run->state == LIVE_ENDED ? "has ended" :
						       "was removed";
	char *program = top_page_name(page, slash ? slash + 1 : run->program, 40),
	     *directory = top_page_name(page, run->directory, 60);
	top_page_line(page);
	top_page_put(page, STYLE_TITLE, "%s", program);
	top_page_put(page, STYLE_PLAIN, "  %s %s  ", state, top_duration(t, look->t_p_ns));
	top_page_put(page, STYLE_DIM, "%s", directory);
	free(program), free(directory);
	top_page_line(page);
	top_page_put(page, STYLE_PLAIN, "%u of %u %s run%s on %u host%s, %zu processing unit%s; ",
		 look->running, look->processes,
		 plural(look->processes, "process", "processes"), plural(look->running, "s", ""),
		 look->hosts, plural(look->hosts, "", "s"), look->pu.n,
		 plural((int64_t)look->pu.n, "", "s"));
	if (top->paused)
		top_page_put(page, STYLE_WARNING, "paused at look %llu", (unsigned long long)run->looks);
	else
		top_page_put(page, STYLE_PLAIN, "look %llu, every %.1f s",
			 (unsigned long long)run->looks, (double)pause / 1e9);
	if (pause > top->interval_ns)
		top_page_put(page, STYLE_WARNING, " and not %.1f s, because one takes %.0f ms",
			 (double)top->interval_ns / 1e9, (double)look->cost_ns / 1e6);
	else
		top_page_put(page, STYLE_DIM, " (takes %.1f ms)", (double)look->cost_ns / 1e6);
}

static void put_shares(struct top_page *page, const struct top_times *t, int64_t wall)
{
	char useful[RATIO_ROOM], overhead[RATIO_ROOM], rest[RATIO_ROOM];
	top_page_put(page, STYLE_PLAIN, "useful %s, overheads %s",
		 ratio_share(useful, top_share(t->useful_ns, wall)),
		 ratio_share(overhead, top_share(t->overhead_ns, wall)));
	if (t->unmeasured_ns)
		top_page_put(page, STYLE_PLAIN, ", not measured %s",
			 ratio_share(rest, top_share(t->unmeasured_ns, wall)));
}

static void put_sums(struct top_page *page, const struct live_run *run)
{
	struct top_rows all;
	const struct top_choice everything = TOP_EVERYTHING;
	top_rows_make(&all, run, TOP_OVERHEADS, &everything, SORT_ORDER);
	top_page_line(page);
	top_page_put(page, STYLE_PLAIN, "so far: ");
	put_shares(page, &all.all, all.wall_ns);
	if (all.now_wall_ns) {
		char t[TOP_DURATION];
		top_page_put(page, STYLE_PLAIN, "; last %s: ", top_duration(t, all.now_ns));
		put_shares(page, &all.now, all.now_wall_ns);
	}
	top_rows_release(&all);
}

/* Writes the age of the thread whose last probe is longest ago. If the thread is on this host, its
 * numbers are nevertheless up to date, because its open activations last until now. If it is on
 * another host, its numbers are as old as this probe. */
static void put_age(struct top_page *page, const struct live_run *run)
{
	const struct live_pu_state *oldest = NULL;
	char t[TOP_DURATION];
	for (size_t i = 0; i < run->now.pu.n; i++) {
		const struct live_pu_state *pu = &run->now.pu.at[i];
		if (pu->runs && !pu->idle && (!oldest || pu->age_ns > oldest->age_ns))
			oldest = pu;
	}
	top_page_line(page);
	if (!oldest)
		return;
	char *path = live_names_path(&run->names, oldest->node, 2),
	     *shown = top_page_name(page, path, 50);
	top_page_put(page, STYLE_DIM, "oldest last probe: %s ago, by %u.%u",
		 top_duration(t, oldest->age_ns), oldest->process, oldest->slot);
	if (*shown)
		top_page_put(page, STYLE_DIM, " in %s", shown);
	free(path), free(shown);
}

static void put_strip(struct top_page *page, const struct top *top, const struct live_run *run)
{
	enum { WIDEST = 200 };
	top_page_line(page);
	top_page_put(page, STYLE_PLAIN, "units ");
	size_t room = top_page_room(page);
	heat_put(page, &top->strip, room < WIDEST ? room : WIDEST);
	top_page_put(page, STYLE_DIM, "  %s %s",
		 top->at.choice.overhead ? sis_overhead_table[top->at.choice.overhead].name :
					   "overhead",
		 run->looks > 1 ? "now" : "so far");
}

static void put_head(struct top_page *page, const struct top *top, const struct live_run *run)
{
	put_run(page, top, run);
	put_sums(page, run);
	put_age(page, run);
	put_strip(page, top, run);
}

/* -- names of the lists ------------------------------------------------------------------------ */

/* Writes the names of the lists, and the restriction of their rows. */
static void put_views(struct top_page *page, const struct top *top, const struct live_run *run)
{
	static const char *const names[TOP_VIEWS] = { "Overheads", "Regions", "Processing units" };
	const struct top_choice *c = &top->at.choice;
	top_page_line(page);
	for (int v = 0; v < TOP_VIEWS; v++) {
		top_page_put(page, v == (int)top->at.view ? STYLE_TITLE : STYLE_DIM,
			 v == (int)top->at.view ? "[%s]" : " %s ", names[v]);
		top_page_put(page, STYLE_PLAIN, "  ");
	}
	if (c->overhead != O_NONE)
		top_page_put(page, STYLE_WARNING, " of %s", sis_overhead_table[c->overhead].name);
	if (c->region != NONE) {
		char *name = top_page_name(page, run->names.region.at[c->region].name, 30);
		top_page_put(page, STYLE_WARNING, " in %s", name);
		free(name);
	}
	for (size_t i = 0; c->pu != NONE && i < run->now.pu.n; i++)
		if (run->now.pu.at[i].pu == c->pu)
			top_page_put(page, STYLE_WARNING, " of unit %u.%u", run->now.pu.at[i].process,
				 run->now.pu.at[i].slot);
}

/* -- the last lines ---------------------------------------------------------------------------- */

static void put_keys(struct top_page *page, const struct top *top, const struct live_run *run,
		     const char *note)
{
	top_page_line(page);
	if (note) {
		char *text = top_page_name(page, note, page->width);
		top_page_put(page, STYLE_WARNING, "%s", text);
		free(text);
	} else if (top->search) {
		size_t found = 0;
		char *text = top_page_name(page, top->search, 40);
		for (size_t i = 0; i < top->rows.row.n; i++)
			found += top_matches(top, run, &top->rows.row.at[i]);
		top_page_put(page, STYLE_MATCH, "/%s", text);
		top_page_put(page, STYLE_PLAIN, "  %zu of %zu rows  %s", found, top->rows.row.n,
			     top->typing ? "Enter keeps it, Esc ends it" :
					   "n next, N previous, Esc ends it");
		free(text);
	} else {
		top_page_put(page, STYLE_DIM, "q quit  Tab list  Enter into  Esc back  s sort  / search  "
			 "p pause  h help");
	}
}

static const char *const help[] = {
	"o r u, Tab      overheads, regions, processing units",
	"arrows, j k     next row; PgUp, PgDn, Home, End",
	"Enter           overhead -> its regions -> their processing units -> their overheads",
	"Esc, Backspace  back",
	"s               sort by the next column; the heading has a * there",
	"/               search: rows that have the text are marked; n and N go to them",
	"p               pause: no more looks; the program goes on, and so does its measurement",
	"Space           look now",
	"+ -             longer, shorter interval",
	"q               quit; the program goes on",
	"",
	"Times are means of the processing units, as in `sis-analyze overhead`. 'now' is the part of",
	"the time since the look before. 'probe' is the age: how long ago the thread passed a probe.",
	"What a thread of this host is in goes on until now; one of another host is so old.",
	"The strip has one character for each unit, or for neighbours: what they lose.",
};

/* -- the page ---------------------------------------------------------------------------------- */

static void scroll(struct top *top, size_t rows)
{
	top->page_rows = rows;
	if (top->cursor < top->first)
		top->first = top->cursor;
	else if (rows && top->cursor >= top->first + rows)
		top->first = top->cursor - rows + 1;
	if (top->first + rows > top->rows.row.n)
		top->first = top->rows.row.n > rows ? top->rows.row.n - rows : 0;
}

/* Removes the last lines, if there are more than `most`. */
static void cut_lines(struct top_page *page, size_t most)
{
	while (page->line.n > most) {
		struct top_line *line = &page->line.at[--page->line.n];
		for (size_t k = 0; k < line->span.n; k++)
			free(line->span.at[k].text);
		vec_free(&line->span);
	}
}

void top_draw(struct top *top, const struct live_run *run, const char *note, size_t height,
	      struct top_page *page)
{
	enum { LIST = 5 }; /* on a low screen, the head is cut to keep these lines of the list */
	put_head(page, top, run);
	cut_lines(page, height > LIST ? height - LIST : 0);
	put_views(page, top, run);
	size_t used = page->line.n + 2; /* 2 more for the heading and the keys */
	size_t rows = height > used ? height - used : 0;
	if (top->help) {
		for (size_t i = 0; i < sizeof help / sizeof *help && i < rows + 1; i++) {
			top_page_line(page);
			top_page_put(page, STYLE_PLAIN, "%s", help[i]);
		}
	} else {
		scroll(top, rows);
		top_list(page, top, run, rows);
	}
	while (page->line.n + 1 < height)
		top_page_line(page);
	put_keys(page, top, run, note);
	cut_lines(page, height);
}

void top_draw_all(const struct live_run *run, int64_t interval_ns, struct top_page *page)
{
	enum { LINES = 20 };
	struct top top;
	top_init(&top, interval_ns);
	top_refresh(&top, run);
	top.cursor = SIZE_MAX; /* no row has this index */
	put_head(page, &top, run);
	for (int v = 0; v < TOP_VIEWS; v++) {
		top.at.view = (enum top_view)v;
		top_refresh(&top, run);
		top.cursor = SIZE_MAX;
		size_t n = top.rows.row.n, shown = v == TOP_OVERHEADS || n < LINES ? n : LINES;
		top_page_line(page);
		put_views(page, &top, run);
		top_list(page, &top, run, shown);
		if (shown < n) {
			top_page_line(page);
			top_page_put(page, STYLE_DIM, "... and %zu more; --json has all", n - shown);
		}
	}
	top_release(&top);
}
