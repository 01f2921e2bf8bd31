/* SPDX-License-Identifier: BSD-3-Clause */
/* view_page.h - what the page of experiments has. */
#ifndef SIS_ANALYSIS_VIEW_PAGE_H
#define SIS_ANALYSIS_VIEW_PAGE_H

#include "commands/command.h"
#include "view/page.h"

/* Adds title, tables, and what commands print of the experiments of these ids. Options of `view`
 * say what is in it; page->limit is set. */
int view_page_add(struct context *c, struct page *page, char *const *id, size_t ids,
		  struct err *err);
/* Makes the page within its limit: with fewer call paths, less of the traces, and, if that is not
 * enough, without the largest documents. `path`: of the page; "-": it is not a file. */
int view_page_make(struct page *page, struct repo *repo, const char *path, struct err *err);

#endif
