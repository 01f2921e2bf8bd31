/* SPDX-License-Identifier: BSD-3-Clause */
/* view_traces.h - the traces of a page, and the files beside it that large ones need. */
#ifndef SIS_ANALYSIS_VIEW_TRACES_H
#define SIS_ANALYSIS_VIEW_TRACES_H

#include "view/page.h"

/* Reads the traces of the page's experiments. `path`: of the page; "-" is standard output, which
 * has no files beside it. */
int view_traces_add(struct page *page, struct repo *repo, const char *path, struct err *err);
/* Writes the files that the page needs, before the page. */
int view_traces_write(const struct page *page, const char *path, struct err *err);

#endif
