/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.h - the rows of the lists of `top`: the times of two looks, added up by overhead, region or
 * processing unit. */
#ifndef SIS_ANALYSIS_TOP_ROWS_H
#define SIS_ANALYSIS_TOP_ROWS_H

#include "live/look/live_run.h"

enum top_view { TOP_OVERHEADS, TOP_REGIONS, TOP_PUS, TOP_VIEWS };
/* SORT_ORDER sorts overheads as in the tree, regions by name, and processing units by number. */
enum top_sort { SORT_OVERHEAD, SORT_NOW, SORT_USEFUL, SORT_CALLS, SORT_AGE, SORT_ORDER, TOP_SORTS };

/* What is shown: only times in this region and on this processing unit and, of the overheads, only
 * this one with its parts. Useful time, unmeasured time and calls do not depend on `overhead`.
 * O_NONE and NONE mean no restriction. */
struct top_choice { enum sis_overhead overhead; uint32_t region, pu; };
#define TOP_EVERYTHING (struct top_choice){ O_NONE, NONE, NONE }

/* Sums over the chosen processing units. */
struct top_times {
	int64_t overhead_ns;     /* time of the chosen overhead, or of all overheads */
	int64_t useful_ns, unmeasured_ns;
	int64_t calls;
};

struct top_row {
	uint32_t id;             /* enum sis_overhead, or number of a region or unit in live_names */
	int depth;               /* in the tree of overheads */
	struct top_times all, now; /* now: since the look before */
	enum sis_overhead worst; /* the leaf that has most of all.overhead_ns, or O_NONE */
	const struct live_pu_state *pu; /* only in rows of processing units */
};

struct top_rows {
	VEC(struct top_row) row;
	struct top_times all, now; /* of all rows together */
	int64_t pus;             /* number of chosen processing units */
	/* Sums of the wall time of the chosen units: so far, and since the look before. The second
	 * sum has only units that both looks found; it is 0 after the first look. */
	int64_t wall_ns, now_wall_ns;
	int64_t now_ns;          /* wall time between the two looks */
};

void top_rows_make(struct top_rows *rows, const struct live_run *run, enum top_view view,
		   const struct top_choice *choice, enum top_sort sort);
void top_rows_release(struct top_rows *rows);

/* The share of a part, from 0 to 1; 0 if the whole is 0. When a wait ends, some of its time may
 * become another overhead. So between two looks, a part may become smaller: its share is then 0.
 * Another part may grow by more than the time that has passed: its share is then 1. */
double top_share(int64_t part, int64_t whole);

#endif
