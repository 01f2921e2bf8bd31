/* SPDX-License-Identifier: BSD-3-Clause */
/* measure.h - measures the cost of measurement on this machine. */
#ifndef SIS_ANALYSIS_MEASURE_H
#define SIS_ANALYSIS_MEASURE_H

#include "answers/calibrate/calibration.h"
#include "answers/calibrate/places.h"

struct measure_options {
	int64_t calls, call_ns, processes; /* see struct calibration */
	VEC(int64_t) depth;                /* depths of the recursion; the first is 1 */
	VEC(const struct setting *) setting;
	bool only_regions;                 /* leave out calls of MPI, OpenMP and pthreads */
};

/* Makes a scratch directory in the working directory, and removes it at the end. `notes` gets a
 * line for each call or metric that cannot be measured on this machine; the caller frees it. */
int calibration_measure(struct calibration *c, const struct measure_options *options, char **notes,
			struct err *err);

#endif
