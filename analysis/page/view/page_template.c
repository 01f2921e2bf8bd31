/* SPDX-License-Identifier: BSD-3-Clause */
/* page_template.c - the text of the page without data, and the functions that insert text into it.
 * Constant data and pure functions: any thread. */
#include "page/view/page_template.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"

static const char template[] =
#include "page_template.inc"
	"";

static const char mark[] = "<!--sis ", mark_end[] = "-->\n";

bool page_template_exists(void) { return sizeof template > 1; }

size_t page_template_size(void) { return sizeof template - 1; }

static void put(const struct page_insert *insert, const char *name, size_t length, const void *arg,
		FILE *out)
{
	for (; insert->name; insert++)
		if (strlen(insert->name) == length && strncmp(insert->name, name, length) == 0)
			insert->put(arg, out);
}

void page_template_write(const struct page_insert *insert, const void *arg, FILE *out)
{
	const char *at = template;
	for (const char *found; (found = strstr(at, mark));) {
		const char *name = found + strlen(mark), *end = strstr(name, mark_end);
		if (!end)
			break;
		fwrite(at, 1, (size_t)(found - at), out);
		put(insert, name, (size_t)(end - name), arg, out);
		at = end + strlen(mark_end);
	}
	fputs(at, out);
}

void html_put(const char *text, FILE *out)
{
	for (; *text; text++)
		switch (*text) {
		case '&': fputs("&amp;", out); break;
		case '<': fputs("&lt;", out); break;
		case '>': fputs("&gt;", out); break;
		default: putc(*text, out);
		}
}
