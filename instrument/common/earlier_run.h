/* SPDX-License-Identifier: BSD-3-Clause */
/* earlier_run.h - what an earlier run says about functions: which are too expensive to measure, and
 * which should be measured even if they look small (--sis-profile).
 *
 * The file is text, which `sis-analyze suggest-regions` writes and a user may change. `#` begins a
 * comment. Every other line has five fields, separated by blanks; the file name is the rest of the
 * line:
 *
 *     leave   CALLS NS FUNCTION FILE   not measured: its probes cost too much for what they tell
 *     measure CALLS NS FUNCTION FILE   measured, however small it looks
 *     inside  CALLS NS FUNCTION FILE   FUNCTION has much exclusive time. So a function of its
 *                                      translation unit that it uses is measured, if that function
 *                                      takes at least half as long as a pair of probes
 *
 * CALLS is the number of activations in that run. NS is the mean time of an activation: exclusive
 * for `inside`, else inclusive. CALLS and NS are 0 if they are not known. The file has no line
 * numbers of the source, so it stays valid when the source is edited. FILE is the name of the
 * source in descriptions. FILE and the name of a source match if they are equal, or if the longer
 * one ends in a `/` and the shorter one. If several lines are about one function, the last one
 * counts. */
#ifndef SISC_EARLIER_RUN_H
#define SISC_EARLIER_RUN_H

#include "common/base.h"
#include "common/report.h"

enum earlier_verdict { EARLIER_LEAVE, EARLIER_MEASURE, EARLIER_INSIDE, EARLIER_VERDICTS };

struct earlier_line {
	enum earlier_verdict verdict;
	double calls, ns;
	char *function, *file;
	const char *origin; /* the file that has the line, in earlier_run->origins */
	unsigned line;
	size_t order;       /* number among the lines of all files */
};

struct earlier_run { /* its lines are sorted by function, then by order */
	struct earlier_line *line;
	size_t count;
	struct words origins;
};

/* Adds the lines of the file `name`. If `name` is the directory of an experiment, its file
 * `regions` is read. Returns 0, or -1 if the file cannot be read or has an error (reported). */
int sis_earlier_read(struct earlier_run *earlier, const char *name,
		     const struct reporter *reporter);
/* The last line about a function; NULL if there is none. If `about_inside` is true, only lines that
 * say `inside` are searched, else only the other lines. */
const struct earlier_line *sis_earlier_find(const struct earlier_run *earlier, const char *function,
					    const char *file, bool about_inside);
void sis_earlier_release(struct earlier_run *earlier);

#endif
