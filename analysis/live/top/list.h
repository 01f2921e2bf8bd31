/* SPDX-License-Identifier: BSD-3-Clause */
/* list.h - writes the rows of a list as lines of a page. */
#ifndef SIS_ANALYSIS_TOP_LIST_H
#define SIS_ANALYSIS_TOP_LIST_H

#include "live/top/top.h"

/* Adds the heading, and `rows` rows, beginning with row top->first. */
void top_list(struct top_page *page, const struct top *top, const struct live_run *run,
	      size_t rows);

enum { TOP_DURATION = 48 };
/* "12.3 s", "3 min 20 s". A negative time is not known: "-". `text` has TOP_DURATION bytes. */
const char *top_duration(char *text, int64_t ns);

#endif
