/* SPDX-License-Identifier: BSD-3-Clause */
/* keys.c - performs the actions of keys (top.h). Called by one thread. */
#include <stdlib.h>
#include <string.h>

#include "live/top/top.h"

enum { MOST_SEARCH = 200 }; /* bytes */

void top_init(struct top *top, int64_t interval_ns)
{
	*top = (struct top){ .interval_ns = interval_ns, .at.choice = TOP_EVERYTHING,
			     .at.id = NONE };
	top->sort[TOP_PUS] = SORT_ORDER;
}

void top_release(struct top *top)
{
	vec_free(&top->back);
	top_rows_release(&top->rows);
	top_rows_release(&top->strip);
	free(top->search);
	*top = (struct top){ 0 };
}

char *top_row_name(const struct live_run *run, enum top_view view, const struct top_row *row)
{
	if (view == TOP_OVERHEADS)
		return mem_string(row->id ? sis_overhead_table[row->id].name : "useful work");
	if (view == TOP_REGIONS)
		return mem_string(run->names.region.at[row->id].name);
	return mem_print("%u.%u", row->pu->process, row->pu->slot);
}

/* -- rows -------------------------------------------------------------------------------------- */

void top_refresh(struct top *top, const struct live_run *run)
{
	const struct top_choice units = { top->at.choice.overhead, NONE, NONE };
	top_rows_release(&top->rows);
	top_rows_release(&top->strip);
	top_rows_make(&top->rows, run, top->at.view, &top->at.choice, top->sort[top->at.view]);
	top_rows_make(&top->strip, run, TOP_PUS, &units, SORT_ORDER);
	/* the row with the cursor may have another index now, or may be gone */
	size_t n = top->rows.row.n, i = 0;
	while (i < n && top->rows.row.at[i].id != top->at.id)
		i++;
	if (i < n)
		top->cursor = i;
	else if (top->cursor >= n)
		top->cursor = n ? n - 1 : 0;
}

static void move_to(struct top *top, size_t row)
{
	size_t n = top->rows.row.n;
	top->cursor = n == 0 ? 0 : row < n ? row : n - 1;
	top->at.id = n ? top->rows.row.at[top->cursor].id : NONE;
}

static void move_by(struct top *top, long rows)
{
	size_t back = rows < 0 ? (size_t)-rows : 0;
	if (back)
		move_to(top, top->cursor > back ? top->cursor - back : 0);
	else
		move_to(top, top->cursor + (size_t)rows);
}

/* -- choosing what is shown -------------------------------------------------------------------- */

static void go(struct top *top, const struct live_run *run, struct top_shown shown)
{
	top->at = shown;
	top->cursor = top->first = 0;
	top_refresh(top, run);
	if (shown.id == NONE)
		move_to(top, 0);
}

static void show(struct top *top, const struct live_run *run, enum top_view view)
{
	if (view != top->at.view)
		go(top, run, (struct top_shown){ view, top->at.choice, NONE });
}

/* Goes from an overhead to the regions that have it, from a region to the processing units that
 * spent time in it, and from a processing unit to its overheads. */
static void drill_down(struct top *top, const struct live_run *run)
{
	static const enum top_view next[TOP_VIEWS] = {
		[TOP_OVERHEADS] = TOP_REGIONS, [TOP_REGIONS] = TOP_PUS, [TOP_PUS] = TOP_OVERHEADS };
	struct top_shown shown = { next[top->at.view], top->at.choice, NONE };
	if (top->rows.row.n == 0)
		return;
	uint32_t id = top->rows.row.at[top->cursor].id;
	switch (top->at.view) {
	case TOP_OVERHEADS: shown.choice.overhead = (enum sis_overhead)id; break;
	case TOP_REGIONS: shown.choice.region = id; break;
	default: shown.choice.pu = id; break;
	}
	*vec_push(&top->back) = top->at;
	mem_free((void **)&top->search);
	go(top, run, shown);
}

/* -- search ------------------------------------------------------------------------------------ */

bool top_matches(const struct top *top, const struct live_run *run, const struct top_row *row)
{
	if (!top->search || !*top->search)
		return false;
	char *name = top_row_name(run, top->at.view, row);
	bool found = strcasestr(name, top->search) != NULL;
	if (top->at.view == TOP_OVERHEADS && row->id)
		found |= strcasestr(sis_overhead_table[row->id].description, top->search) != NULL;
	if (top->at.view == TOP_REGIONS)
		found |= strcasestr(run->names.region.at[row->id].file, top->search) != NULL;
	free(name);
	return found;
}

/* Moves the cursor to the next row that matches the search. The first row that is tried is `from`
 * rows after the cursor. `step` is 1 or -1. */
static void find_next(struct top *top, const struct live_run *run, long from, long step)
{
	long n = (long)top->rows.row.n;
	for (long i = 0; i < n; i++) {
		long row = (((long)top->cursor + from + i * step) % n + n) % n;
		if (top_matches(top, run, &top->rows.row.at[row])) {
			move_to(top, (size_t)row);
			return;
		}
	}
}

/* Handles a key while the user types a search. Bytes of UTF-8 come one by one. */
static void type(struct top *top, const struct live_run *run, int key)
{
	if (key == TOP_ENTER) {
		top->typing = false;
	} else if (key == TOP_ESCAPE) {
		top->typing = false;
		mem_free((void **)&top->search);
	} else if (key == TOP_BACK) {
		size_t n = strlen(top->search);
		while (n && (top->search[n - 1] & 0xc0) == 0x80)
			n--;
		if (n)
			top->search[n - 1] = '\0';
	} else if (key >= ' ' && key < 0x100 && key != 0x7f &&
		   strlen(top->search) < MOST_SEARCH) {
		char *longer = mem_print("%s%c", top->search, key);
		free(top->search);
		top->search = longer;
	}
	find_next(top, run, 0, 1);
}

/* -- keys -------------------------------------------------------------------------------------- */

/* Whether a list can be sorted by a column. */
static bool can_sort(enum top_view view, enum top_sort sort)
{
	if (sort == SORT_CALLS || sort == SORT_USEFUL)
		return view != TOP_OVERHEADS;
	return sort != SORT_AGE || view == TOP_PUS;
}

static void change_interval(struct top *top, double factor)
{
	const double least = 1e8, most = 3.6e12;
	double ns = (double)top->interval_ns * factor;
	top->interval_ns = (int64_t)(ns < least ? least : ns > most ? most : ns);
}

/* Handles keys that move the cursor. Returns false for other keys. */
static bool moves(struct top *top, int key)
{
	long page = top->page_rows > 1 ? (long)top->page_rows - 1 : 1;
	switch (key) {
	case TOP_UP: case 'k': move_by(top, -1); return true;
	case TOP_DOWN: case 'j': move_by(top, 1); return true;
	case TOP_PAGE_UP: move_by(top, -page); return true;
	case TOP_PAGE_DOWN: move_by(top, page); return true;
	case TOP_HOME: case 'g': move_to(top, 0); return true;
	case TOP_END: case 'G': move_to(top, SIZE_MAX); return true;
	default: return false;
	}
}

enum top_action top_key(struct top *top, const struct live_run *run, int key)
{
	enum top_sort *sort = &top->sort[top->at.view];
	if (top->typing) {
		type(top, run, key);
		return TOP_NOTHING;
	}
	if (moves(top, key))
		return TOP_NOTHING;
	switch (key) {
	case 'q': return TOP_QUIT;
	case '\t': show(top, run, (enum top_view)((top->at.view + 1) % TOP_VIEWS)); break;
	case 'o': show(top, run, TOP_OVERHEADS); break;
	case 'r': show(top, run, TOP_REGIONS); break;
	case 'u': show(top, run, TOP_PUS); break;
	case TOP_ENTER: drill_down(top, run); break;
	case TOP_ESCAPE: case TOP_BACK:
		if (top->help)
			top->help = false;
		else if (top->back.n)
			go(top, run, top->back.at[--top->back.n]);
		else
			mem_free((void **)&top->search);
		break;
	case 's':
		do
			*sort = (enum top_sort)((*sort + 1) % TOP_SORTS);
		while (!can_sort(top->at.view, *sort));
		top_refresh(top, run);
		break;
	case '/':
		free(top->search);
		top->search = mem_string("");
		top->typing = true;
		break;
	case 'n': find_next(top, run, 1, 1); break;
	case 'N': find_next(top, run, -1, -1); break;
	case '+': change_interval(top, 2); break;
	case '-': change_interval(top, 0.5); break;
	case 'h': case '?': top->help = !top->help; break;
	case ' ': return TOP_LOOK;
	case 'p':
		top->paused = !top->paused;
		return top->paused ? TOP_NOTHING : TOP_LOOK;
	default: break;
	}
	return TOP_NOTHING;
}
