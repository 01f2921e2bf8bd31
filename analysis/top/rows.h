/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.h - what lists of `top` show: the times of two looks, added up by overhead, region or
 * processing unit. */
#ifndef SIS_ANALYSIS_TOP_ROWS_H
#define SIS_ANALYSIS_TOP_ROWS_H

#include "live/live_run.h"

enum top_view { TOP_OVERHEADS, TOP_REGIONS, TOP_PUS, TOP_VIEWS };
/* SORT_ORDER: overheads as in the tree, regions by name, processing units by number. */
enum top_sort { SORT_OVERHEAD, SORT_NOW, SORT_USEFUL, SORT_CALLS, SORT_AGE, SORT_ORDER, TOP_SORTS };

/* What rows are restricted to; O_NONE, NONE: everything. */
struct top_choice { enum sis_overhead overhead; uint32_t region, pu; };
#define TOP_EVERYTHING (struct top_choice){ O_NONE, NONE, NONE }

/* Sums over the chosen processing units. */
struct top_times {
	int64_t overhead_ns;     /* of the chosen overhead, or of all */
	int64_t useful_ns, unmeasured_ns;
	int64_t calls;
};

struct top_row {
	uint32_t id;             /* enum sis_overhead, or number of a region or unit in live_names */
	int depth;               /* in the tree of overheads */
	struct top_times all, now; /* now: since the look before */
	enum sis_overhead worst; /* the leaf that has most of all.overhead_ns; O_NONE */
	const struct live_pu_state *pu; /* of a processing unit */
};

struct top_rows {
	VEC(struct top_row) row;
	struct top_times all, now; /* of all rows together */
	int64_t pus;             /* the chosen ones */
	/* their wall time in all, and since the look before, of those that this one found, too; 0:
	 * this is the first look */
	int64_t wall_ns, now_wall_ns;
	int64_t now_ns;          /* wall time between the two looks */
};

void top_rows_make(struct top_rows *rows, const struct live_run *run, enum top_view view,
		   const struct top_choice *choice, enum top_sort sort);
void top_rows_release(struct top_rows *rows);

/* A part of a whole, from 0 to 1; 0 if the whole is 0. When a wait ends, some of its time may
 * become another overhead. So between two looks one part can lose time, and another part can get
 * more time than has passed. The first part counts as 0, the second as 1. */
double top_share(int64_t part, int64_t whole);

#endif
