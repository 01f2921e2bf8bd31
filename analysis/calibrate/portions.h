/* SPDX-License-Identifier: BSD-3-Clause */
/* portions.h - the portions of the time that measuring adds, from the times of a calibration.
 *
 *     T            a call that is not measured
 *     floor        what remains when everything is off: SIS_ENABLE=0
 *     I            a region that is off while others are on
 *     C            what is collected and not written: the profile
 *     C inside     of this, what is in the region's own recorded time
 *     C outside    the rest, which the region around it pays
 *     C trace      events of a trace that is never written
 *     W            writing the trace
 *     reading      of a metric: what reading it adds to C
 *
 * I, C, C trace and W are disjoint and add up to what a traced region costs. A portion other than T
 * is a difference between two states of the same setting, computed once for each number of a
 * process. It is the difference of the median times of a call, since a call is seldom interrupted.
 * Only W is the difference of the means, since a writer works only now and then. In a setting with
 * one processor, W includes the processor time of the writer, because the program lacks it. */
#ifndef SIS_ANALYSIS_PORTIONS_H
#define SIS_ANALYSIS_PORTIONS_H

#include <stdbool.h>

#include "base/statistics.h"
#include "calibrate/calibration.h"

enum portion_kind {
	PORTION_T, PORTION_FLOOR, PORTION_I, PORTION_C, PORTION_C_INSIDE, PORTION_C_OUTSIDE,
	PORTION_C_TRACE, PORTION_W, PORTION_READING, PORTIONS
};
extern const char *const portion_names[PORTIONS];

/* Texts are the calibration's. */
struct portion {
	const char *setting, *kernel;
	int64_t depth;
	enum portion_kind kind;
	struct series ns;
};
typedef VEC(struct portion) portion_list;

/* Those that were measured, in the order of the times. */
void portions_find(portion_list *list, const struct calibration *c);
/* NULL: it was not measured. */
const struct portion *portion_of(const portion_list *list, const char *setting, const char *kernel,
				 int64_t depth, enum portion_kind kind);

/* A portion as a line over the depth of a recursion. */
struct portion_fit {
	const char *setting;
	enum portion_kind kind;
	size_t depths;
	struct line line; /* intercept: ns of a call; slope: ns of each region */
};
typedef VEC(struct portion_fit) portion_fits;
/* Of all settings with three depths. */
void portions_fit(portion_fits *fits, const portion_list *list);

/* How fast a setting's writer is. */
struct writer_speed {
	const char *setting;
	struct series written, made; /* events in a second */
	bool saturated;              /* not all that were made were written */
	double raw_bytes, bytes;     /* of an event; as it is, and in the file */
};
typedef VEC(struct writer_speed) writer_speeds;
void writers_find(writer_speeds *speeds, const struct calibration *c);

#endif
