/* SPDX-License-Identifier: BSD-3-Clause */
/* page_differences.h - the parts of the difference between two series of runs, by call path. They
 * are two tables of the page. The parts of all pairs (A, B) with the same B belong to the first run
 * of B. */
#ifndef SIS_ANALYSIS_PAGE_DIFFERENCES_H
#define SIS_ANALYSIS_PAGE_DIFFERENCES_H

#include "answers/query/difference_parts.h"

struct page_path {
	int64_t pair;         /* number of the pair in the page */
	int64_t parent;       /* index of the path around it; -1: it is an outermost path */
	char *name, *file;    /* of its last region */
	int64_t line;
	int64_t region[2];    /* id in the first run of each series; 0: that run does not have it */
};
struct page_difference { size_t path; enum sis_overhead leaf; int64_t a, b; };
struct page_differences {
	VEC(struct page_path) path;            /* parents first */
	VEC(struct page_difference) difference;
	size_t all;                            /* number of differences, left-out ones included */
};

/* Adds a pair of series. If it has more than `most` differences, the smallest are left out. */
int page_differences_add(struct page_differences *to, struct repo *repo, const run_list *a,
			 const run_list *b, int64_t pair, size_t most, struct err *err);
void page_differences_release(struct page_differences *of);

#endif
