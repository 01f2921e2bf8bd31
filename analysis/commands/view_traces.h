/* SPDX-License-Identifier: BSD-3-Clause */
/* view_traces.h - the traces of a page, and the files beside the page that large traces need. */
#ifndef SIS_ANALYSIS_VIEW_TRACES_H
#define SIS_ANALYSIS_VIEW_TRACES_H

#include "page/view/page.h"

/* Reads the traces of the page's experiments. */
int view_traces_read(struct page *page, struct repo *repo, struct err *err);
/* The most bytes of the page that traces may take; 0: there are no traces. */
size_t view_traces_room(const struct page *page);
/* Chooses the part of the traces that the page has, and notes what the page lacks. May be called
 * again with less room. `path`: of the page; "-" is standard output, which has no files beside
 * it. */
int view_traces_fit(struct page *page, size_t room, const char *path, struct err *err);
/* Writes the files beside the page, before the page is written. */
int view_traces_write(const struct page *page, const char *path, struct err *err);

#endif
