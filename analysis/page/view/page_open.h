/* SPDX-License-Identifier: BSD-3-Clause */
/* page_open.h - finds the open activations of a run. They say where each unit is if the program
 * still runs, or where it was when its process was killed. */
#ifndef SIS_ANALYSIS_PAGE_OPEN_H
#define SIS_ANALYSIS_PAGE_OPEN_H

#include "answers/query/call_graph.h"

struct page_open { uint32_t unit, node; };
typedef VEC(struct page_open) page_open_list;

/* Lists the innermost open node of each unit. Units that are only in the root are left out. The
 * list must be empty before. */
void page_open_find(page_open_list *list, const struct call_graph *graph);

#endif
