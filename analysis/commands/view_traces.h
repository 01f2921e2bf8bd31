/* SPDX-License-Identifier: BSD-3-Clause */
/* view_traces.h - the traces of a page, and the files beside it that large ones need. */
#ifndef SIS_ANALYSIS_VIEW_TRACES_H
#define SIS_ANALYSIS_VIEW_TRACES_H

#include "view/page.h"

/* Reads the traces of the page's experiments. */
int view_traces_read(struct page *page, struct repo *repo, struct err *err);
/* The most bytes of the page that are for traces; 0: there are none. */
size_t view_traces_room(const struct page *page);
/* Chooses what the page has of the traces, and notes what it lacks. May be called again with less
 * room. `path`: of the page; "-" is standard output, which has no files beside it. */
int view_traces_fit(struct page *page, size_t room, const char *path, struct err *err);
/* Writes the files that the page needs, before the page. */
int view_traces_write(const struct page *page, const char *path, struct err *err);

#endif
