/* SPDX-License-Identifier: BSD-3-Clause */
/* page_open.h - which activations of a run are open: where each unit is, if the program runs, and
 * where it was when its process was killed. */
#ifndef SIS_ANALYSIS_PAGE_OPEN_H
#define SIS_ANALYSIS_PAGE_OPEN_H

#include "query/call_graph.h"

struct page_open { uint32_t unit, node; };
typedef VEC(struct page_open) page_open_list;

/* The innermost open node of each unit, except the root. The list is empty before. */
void page_open_find(page_open_list *list, const struct call_graph *graph);

#endif
