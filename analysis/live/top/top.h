/* SPDX-License-Identifier: BSD-3-Clause */
/* top.h - decides what `top` shows, and what keys do. live/screen/ draws, and the command looks at
 * the run. So everything here can be tested without a terminal.
 *
 *     key -> top_key -> struct top -> top_refresh -> rows -> top_draw -> lines of a page
 *                                        ^
 *     look at the run -------------------+
 */
#ifndef SIS_ANALYSIS_TOP_H
#define SIS_ANALYSIS_TOP_H

#include "live/top/top_page.h"
#include "live/top/rows.h"

/* The keys that are no characters. */
enum { TOP_UP = 0x200000, TOP_DOWN, TOP_PAGE_UP, TOP_PAGE_DOWN, TOP_HOME, TOP_END, TOP_ENTER,
       TOP_BACK /* Backspace */, TOP_ESCAPE, TOP_RESIZE };

enum top_action { TOP_NOTHING, TOP_QUIT, TOP_LOOK /* look at the run at once */ };

struct top_shown { /* what is shown; Esc returns to the previous one */
	enum top_view view;
	struct top_choice choice;
	uint32_t id;             /* id of the row with the cursor */
};

struct top {
	struct top_shown at;
	VEC(struct top_shown) back;
	enum top_sort sort[TOP_VIEWS];
	struct top_rows rows;
	struct top_rows strip;   /* all processing units, by number, for the heat strip */
	size_t cursor, first;    /* row with the cursor; first row that is shown */
	size_t page_rows;        /* how many rows were shown last */
	char *search;            /* matching rows are marked; NULL if there is no search */
	bool typing;             /* whether keys are added to `search` */
	bool paused, help;
	int64_t interval_ns;
};

void top_init(struct top *top, int64_t interval_ns);
void top_release(struct top *top);
/* Adds up the rows again. To be called after a look, and after a key. The cursor stays on its
 * row. */
void top_refresh(struct top *top, const struct live_run *run);
/* Performs the action of a key. The rows are those of the last top_refresh. */
enum top_action top_key(struct top *top, const struct live_run *run, int key);

/* Whether the searched text is in the row's name, in the description of the row's overhead, or in
 * the file of the row's region. The case of letters does not matter. False: there is no search. */
bool top_matches(const struct top *top, const struct live_run *run, const struct top_row *row);
/* The name of a row. It comes from the program, so it may have any character. The caller frees
 * it. */
char *top_row_name(const struct live_run *run, enum top_view view, const struct top_row *row);

/* Fills the page with `height` lines. `note` is the text of one more line, or NULL. */
void top_draw(struct top *top, const struct live_run *run, const char *note, size_t height,
	      struct top_page *page);
/* Fills the page with all lists, one after the other. Long lists are cut. */
void top_draw_all(const struct live_run *run, int64_t interval_ns, struct top_page *page);

#endif
