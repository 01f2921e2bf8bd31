/* SPDX-License-Identifier: BSD-3-Clause */
/* top_page.h - lines of styled text, as wide as the screen, which are not drawn yet. Control
 * characters are escaped, so that the text cannot command the terminal. */
#ifndef SIS_ANALYSIS_TOP_PAGE_H
#define SIS_ANALYSIS_TOP_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/mem.h"

enum top_style {
	STYLE_PLAIN,
	STYLE_TITLE,
	STYLE_HEAD,    /* heading of a list */
	STYLE_DIM,
	STYLE_CURSOR,  /* the row that keys refer to */
	STYLE_MATCH,   /* a row that matches the search */
	STYLE_LOW,     /* little overhead */
	STYLE_MIDDLE,
	STYLE_HIGH,    /* much overhead */
	STYLE_WARNING,
	TOP_STYLES
};

struct top_span { char *text; enum top_style style; };
struct top_line { VEC(struct top_span) span; };
struct top_page {
	VEC(struct top_line) line;
	size_t width;  /* in columns; 0 if lines may have any length */
	bool utf8;     /* whether characters beyond ASCII are shown; else they become '?' */
};

void top_page_init(struct top_page *page, size_t width, bool utf8);
void top_page_release(struct top_page *page);
/* Begins a line. */
void top_page_line(struct top_page *page);
/* Adds text to the last line, up to the width of the page. The text must be safe for a terminal:
 * SIS's own words, numbers, and results of top_page_name. */
void top_page_put(struct top_page *page, enum top_style style, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The name as it is shown: escaped, and without its middle if it needs more than `columns` columns.
 * If `columns` is 0, there is no limit. The caller frees it. */
char *top_page_name(const struct top_page *page, const char *name, size_t columns);
/* Like top_page_name, but filled with blanks to exactly `columns` columns. */
char *top_page_cell(const struct top_page *page, const char *name, size_t columns);
/* The number of columns that are free in the last line; SIZE_MAX if lines have no limit. */
size_t top_page_room(const struct top_page *page);
/* Prints the lines without styles. */
void top_page_print(const struct top_page *page, FILE *out);

#endif
