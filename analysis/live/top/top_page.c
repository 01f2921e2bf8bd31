/* SPDX-License-Identifier: BSD-3-Clause */
/* top_page.c - keeps the lines of a page, and cuts text to its width (top_page.h). Called by one
 * thread. */
#include "live/top/top_page.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/text_width.h"

void top_page_init(struct top_page *page, size_t width, bool utf8)
{
	*page = (struct top_page){ .width = width, .utf8 = utf8 };
}

void top_page_release(struct top_page *page)
{
	for (size_t i = 0; i < page->line.n; i++) {
		struct top_line *line = &page->line.at[i];
		for (size_t k = 0; k < line->span.n; k++)
			free(line->span.at[k].text);
		vec_free(&line->span);
	}
	vec_free(&page->line);
}

void top_page_line(struct top_page *page)
{
	*vec_push(&page->line) = (struct top_line){ 0 };
}

size_t top_page_room(const struct top_page *page)
{
	const struct top_line *line = &page->line.at[page->line.n - 1];
	size_t used = 0;
	if (page->width == 0)
		return SIZE_MAX;
	for (size_t i = 0; i < line->span.n; i++)
		used += text_width(line->span.at[i].text);
	return used < page->width ? page->width - used : 0;
}

/* Each character that is not ASCII becomes '?'. */
static void make_ascii(char *text)
{
	char *to = text;
	for (const unsigned char *at = (const unsigned char *)text; *at;) {
		int length = sis_utf8_length(at);
		*to++ = *at < 0x80 ? (char)*at : '?';
		at += length ? length : 1;
	}
	*to = '\0';
}

void top_page_put(struct top_page *page, enum top_style style, const char *format, ...)
{
	char *text = NULL;
	va_list args;
	va_start(args, format);
	int length = vasprintf(&text, format, args);
	va_end(args);
	if (length < 0)
		text = mem_string("out of memory");
	if (!page->utf8)
		make_ascii(text);
	if (page->width)
		text[text_prefix(text, top_page_room(page)) - text] = '\0';
	*vec_push(&page->line.at[page->line.n - 1].span) = (struct top_span){ text, style };
}

char *top_page_name(const struct top_page *page, const char *name, size_t columns)
{
	char *text = escape_text(name, SIS_ESCAPE_NAME);
	if (!page->utf8)
		make_ascii(text);
	if (columns == 0 || text_width(text) <= columns)
		return text;
	enum { DOTS = 2 }; /* "beginning..end" */
	char *shorter;
	if (columns <= DOTS) {
		shorter = mem_print("%.*s", (int)(text_prefix(text, columns) - text), text);
	} else {
		size_t end = (columns - DOTS) / 2, begin = columns - DOTS - end;
		shorter = mem_print("%.*s..%s", (int)(text_prefix(text, begin) - text), text,
				    text_suffix(text, end));
	}
	free(text);
	return shorter;
}

char *top_page_cell(const struct top_page *page, const char *name, size_t columns)
{
	char *text = top_page_name(page, name, columns);
	size_t width = text_width(text);
	char *filled = mem_print("%s%*s", text, width < columns ? (int)(columns - width) : 0, "");
	free(text);
	return filled;
}

void top_page_print(const struct top_page *page, FILE *out)
{
	for (size_t i = 0; i < page->line.n; i++) {
		char *line = mem_string("");
		for (size_t k = 0; k < page->line.at[i].span.n; k++) {
			char *longer = mem_print("%s%s", line, page->line.at[i].span.at[k].text);
			free(line);
			line = longer;
		}
		size_t n = strlen(line);
		while (n && line[n - 1] == ' ')
			n--;
		fprintf(out, "%.*s\n", (int)n, line);
		free(line);
	}
}
