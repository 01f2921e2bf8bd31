/* SPDX-License-Identifier: BSD-3-Clause */
/* view_page.h - collects the contents of the page of experiments. */
#ifndef SIS_ANALYSIS_VIEW_PAGE_H
#define SIS_ANALYSIS_VIEW_PAGE_H

#include "commands/command.h"
#include "page/view/page.h"

/* Adds the title, the tables, and the output of commands for the experiments of these ids. Options
 * of `view` choose what the page has. The caller has set page->limit. */
int view_page_add(struct context *c, struct page *page, char *const *id, size_t ids,
		  struct err *err);
/* Makes the page within its limit of bytes. If needed, the page has fewer call paths and less of
 * the traces. If the page is then still too large, it lacks the largest documents. `path`: of the
 * page; "-": standard output. */
int view_page_make(struct page *page, struct repo *repo, const char *path, struct err *err);

#endif
