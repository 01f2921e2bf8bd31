/* SPDX-License-Identifier: BSD-3-Clause */
/* page_leaf.h - how the tables of a page name leaves of the overhead tree. */
#ifndef SIS_ANALYSIS_PAGE_LEAF_H
#define SIS_ANALYSIS_PAGE_LEAF_H

#include <stdint.h>

#include "tables.h"

enum { PAGE_USEFUL = 255 }; /* stands for useful work, which belongs to no leaf */
_Static_assert(SIS_OVERHEADS - 1 < PAGE_USEFUL, "leaves of the page have a byte");

static inline int64_t page_leaf(enum sis_overhead leaf)
{
	return leaf == O_NONE ? PAGE_USEFUL : (int64_t)leaf - 1;
}

#endif
