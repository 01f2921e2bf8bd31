/* SPDX-License-Identifier: BSD-3-Clause */
/* report_page.h - all that a report shows, of a whole run or of one region. */
#ifndef SIS_ANALYSIS_REPORT_PAGE_H
#define SIS_ANALYSIS_REPORT_PAGE_H

#include "query/advice.h"
#include "query/efficiency.h"
#include "query/measured_less.h"
#include "query/off_inside.h"
#include "query/overhead.h"
#include "query/region_efficiency.h"
#include "query/switched_off.h"

struct report_page {
	struct overheads o;                     /* of the run */
	struct overheads tree;                  /* of what the report is about; owns nothing */
	struct efficiencies efficiencies;
	struct actions actions;
	region_efficiencies regions;
	const struct region_efficiency *region; /* the report is about it; NULL: about the run */
	int64_t processors;                     /* that the run could use; 0: not known */
	int64_t start_ns;                       /* in calls of MPI that begin and end it, mean */
	/* less: measured_less.h; switched: switched_off.h; off: off_inside.h; waited: variables
	 * that were waited for, of the whole run */
	struct table shape, worst, path, less, switched, off, waited;
};
/* columns of the first row of `shape` */
enum { SHAPE_PROCESSES, SHAPE_THREADS, SHAPE_NODES, SHAPE_MOST_USEFUL, SHAPE_COMMAND,
       SHAPE_ESTIMATED, SHAPE_CLOCK };

/* region: its name, NAME@LINE or FILE:LINE; NULL: the whole run. */
int report_page_load(struct report_page *page, struct repo *repo, int64_t experiment,
		     const char *region, int64_t seq, int64_t par1, struct err *err);
void report_page_release(struct report_page *page);

static inline bool report_is_crowded(const struct report_page *page)
{
	return page->processors > 0 && page->o.p > page->processors;
}

#endif
