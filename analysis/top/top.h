/* SPDX-License-Identifier: BSD-3-Clause */
/* top.h - what `top` shows, and what keys do to it. It decides; screen/ draws, and the command
 * looks at the run. So all of it is tested without a terminal.
 *
 *     key -> top_key -> struct top -> top_refresh -> rows -> top_draw -> lines of a page
 *                                        ^
 *     look at the run -------------------+
 */
#ifndef SIS_ANALYSIS_TOP_H
#define SIS_ANALYSIS_TOP_H

#include "top/top_page.h"
#include "top/rows.h"

/* Keys beside characters. */
enum { TOP_UP = 0x200000, TOP_DOWN, TOP_PAGE_UP, TOP_PAGE_DOWN, TOP_HOME, TOP_END, TOP_ENTER,
       TOP_BACK /* Backspace */, TOP_ESCAPE, TOP_RESIZE };

enum top_action { TOP_NOTHING, TOP_QUIT, TOP_LOOK /* at once */ };

struct top_place { /* what is shown: Esc returns to the one before */
	enum top_view view;
	struct top_choice choice;
	uint32_t id;             /* of the row with the cursor */
};

struct top {
	struct top_place at;
	VEC(struct top_place) back;
	enum top_sort sort[TOP_VIEWS];
	struct top_rows rows;
	struct top_rows strip;   /* all processing units, by number: the heat strip */
	size_t cursor, first;    /* rows: that of the cursor, the first that is shown */
	size_t page_rows;        /* that were shown last */
	char *search;            /* NULL: none; rows that have it are marked */
	bool typing;             /* keys belong to `search` */
	bool paused, help;
	int64_t interval_ns;
};

void top_init(struct top *top, int64_t interval_ns);
void top_release(struct top *top);
/* Adds up the rows again: after a look, and after a key. The cursor stays on its row. */
void top_refresh(struct top *top, const struct live_run *run);
/* Obeys a key. The rows are those of the last top_refresh. */
enum top_action top_key(struct top *top, const struct live_run *run, int key);

/* Whether the row has what is searched for. */
bool top_matches(const struct top *top, const struct live_run *run, const struct top_row *row);
/* The name of a row, which is data: it may have any character. The caller frees it. */
char *top_row_name(const struct live_run *run, enum top_view view, const struct top_row *row);

/* Fills the page with `height` lines. `note`: one more line of text; NULL. */
void top_draw(struct top *top, const struct live_run *run, const char *note, size_t height,
	      struct top_page *page);
/* Fills the page with all that there is: the lists one after the other, the longer ones cut. */
void top_draw_all(const struct live_run *run, int64_t interval_ns, struct top_page *page);

#endif
