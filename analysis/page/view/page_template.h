/* SPDX-License-Identifier: BSD-3-Clause */
/* page_template.h - the page without data, as the build bundled it from analysis/page/web. */
#ifndef SIS_ANALYSIS_PAGE_TEMPLATE_H
#define SIS_ANALYSIS_PAGE_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The text that replaces a line <!--sis NAME--> of the template in a page. */
struct page_insert {
	const char *name;
	void (*put)(const void *arg, FILE *out);
};

/* Whether there is a template. sis-analyze has none if it was built without esbuild. */
bool page_template_exists(void);
size_t page_template_size(void);
/* Writes the template with its inserts. The last row of `insert` has no name. `arg` is the first
 * argument of each `put`. */
void page_template_write(const struct page_insert *insert, const void *arg, FILE *out);

/* Writes text that SIS did not make as the text of an HTML element, in which it cannot be a tag.
 * The caller must have escaped invisible characters (base/escape.h). */
void html_put(const char *text, FILE *out);

#endif
