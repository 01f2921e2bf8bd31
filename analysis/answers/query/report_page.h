/* SPDX-License-Identifier: BSD-3-Clause */
/* report_page.h - loads all that a report shows, about a whole run or one region. */
#ifndef SIS_ANALYSIS_REPORT_PAGE_H
#define SIS_ANALYSIS_REPORT_PAGE_H

#include "answers/query/advice.h"
#include "answers/query/efficiency.h"
#include "answers/query/measured_less.h"
#include "answers/query/off_inside.h"
#include "answers/query/overhead.h"
#include "answers/query/region_efficiency.h"
#include "answers/query/switched_off.h"

struct report_page {
	struct overheads o;                     /* overheads of the run */
	struct overheads tree;                  /* what the report shows; owns nothing */
	struct efficiencies efficiencies;
	struct actions actions;
	region_efficiencies regions;
	const struct region_efficiency *region; /* what the report is about; NULL: the run */
	int64_t processors;                     /* number that the run could use; 0: not known */
	int64_t start_ns;                       /* mean time in calls that begin and end MPI */
	/* less: what was measured less (measured_less.h). switched: what was switched off
	 * (switched_off.h). off: regions that include the time of regions that were off
	 * (off_inside.h). waited: variables for which processing units waited, in the whole run */
	struct table shape, worst, path, less, switched, off, waited;
};
/* the columns of the first row of `shape` */
enum { SHAPE_PROCESSES, SHAPE_THREADS, SHAPE_NODES, SHAPE_MOST_USEFUL, SHAPE_COMMAND,
       SHAPE_ESTIMATED, SHAPE_CLOCK };

/* Loads a report. `region`: NAME, NAME@LINE or FILE:LINE of the region; NULL: the whole run. */
int report_page_load(struct report_page *page, struct repo *repo, int64_t experiment,
		     const char *region, int64_t seq, int64_t par1, struct err *err);
void report_page_release(struct report_page *page);

static inline bool report_is_crowded(const struct report_page *page)
{
	return page->processors > 0 && page->o.p > page->processors;
}

#endif
