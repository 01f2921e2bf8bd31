/* SPDX-License-Identifier: BSD-3-Clause */
/* portions.h - computes the portions of the time that measuring adds, from the times of a
 * calibration.
 *
 *     T            a call that is not measured
 *     floor        what a call takes longer if all is off: SIS_ENABLE=0
 *     I            what a call takes longer if its region is off, others on
 *     C            what collecting the profile adds
 *     C inside     the part of C in the region's own recorded time
 *     C outside    the rest of C, in the time of the region around it
 *     C trace      what collecting the events of a trace adds
 *     W            what writing the trace adds
 *     reading      what reading a metric adds
 *
 * I, C, C trace and W are disjoint and add up to what a traced region costs. Portions other than T
 * are differences between times in the same setting (portions.c). In each round (measure.c), the
 * median time of a call in one process is subtracted from that in another process. The median
 * leaves out the few calls that were interrupted. Only W is a difference of means, because a writer
 * works only now and then, which a median would not show. In a setting with one processor, W
 * includes the processor time of the writer, because the writer takes it from the program. */
#ifndef SIS_ANALYSIS_PORTIONS_H
#define SIS_ANALYSIS_PORTIONS_H

#include <stdbool.h>

#include "base/statistics.h"
#include "answers/calibrate/calibration.h"

enum portion_kind {
	PORTION_T, PORTION_FLOOR, PORTION_I, PORTION_C, PORTION_C_INSIDE, PORTION_C_OUTSIDE,
	PORTION_C_TRACE, PORTION_W, PORTION_READING, PORTIONS
};
extern const char *const portion_names[PORTIONS];

/* A portion with its statistics. The calibration owns the texts. */
struct portion {
	const char *setting, *kernel;
	int64_t depth;
	enum portion_kind kind;
	struct series ns;
};
typedef VEC(struct portion) portion_list;

/* Computes the portions that were measured, in the order of the calibration's times. */
void portions_find(portion_list *list, const struct calibration *c);
/* Finds a portion in the list; NULL if it was not measured. */
const struct portion *portion_of(const portion_list *list, const char *setting, const char *kernel,
				 int64_t depth, enum portion_kind kind);

/* A portion as a linear function of the depth of a recursion. */
struct portion_fit {
	const char *setting;
	enum portion_kind kind;
	size_t depths;
	struct line line; /* intercept: ns of a call; slope: ns of each region */
};
typedef VEC(struct portion_fit) portion_fits;
/* Computes the lines of all settings that were measured at three or more depths. */
void portions_fit(portion_fits *fits, const portion_list *list);

/* How fast the writer of a trace is in a setting. */
struct writer_speed {
	const char *setting;
	struct series written, made; /* events per second */
	bool saturated;              /* the writer was too slow to write all events */
	double raw_bytes, bytes;     /* of an event: in memory, and in the file */
};
typedef VEC(struct writer_speed) writer_speeds;
void writers_find(writer_speeds *speeds, const struct calibration *c);

#endif
