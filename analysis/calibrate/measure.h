/* SPDX-License-Identifier: BSD-3-Clause */
/* measure.h - measures what measuring costs on this machine. */
#ifndef SIS_ANALYSIS_MEASURE_H
#define SIS_ANALYSIS_MEASURE_H

#include "calibrate/calibration.h"
#include "calibrate/places.h"

struct measure_options {
	int64_t calls, call_ns, processes; /* see struct calibration */
	VEC(int64_t) depth;                /* of the recursion; the first is 1 */
	VEC(const struct setting *) setting;
	bool only_regions;                 /* not the calls of MPI, OpenMP and pthreads */
};

/* Needs an unused name in the working directory, for a directory that is removed again. What cannot
 * be measured here is named in `notes`, one line each; the caller frees it. */
int calibration_measure(struct calibration *c, const struct measure_options *options, char **notes,
			struct err *err);

#endif
