/* SPDX-License-Identifier: BSD-3-Clause */
/* page_template.h - the page without data, as the build bundled it from analysis/page. */
#ifndef SIS_ANALYSIS_PAGE_TEMPLATE_H
#define SIS_ANALYSIS_PAGE_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What a page adds at a line <!--sis NAME--> of the template. */
struct page_insert {
	const char *name;
	void (*put)(const void *arg, FILE *out);
};

/* False: sis-analyze was built without esbuild, and there is no template. */
bool page_template_exists(void);
size_t page_template_size(void);
/* Writes the template with what is inserted; `arg` is for all of `insert`, which ends with a row
 * without a name. */
void page_template_write(const struct page_insert *insert, const void *arg, FILE *out);

/* Writes text from outside as the text of an HTML element, without tags. Callers have escaped
 * invisible characters before (base/escape.h). */
void html_put(const char *text, FILE *out);

#endif
