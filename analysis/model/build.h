/* SPDX-License-Identifier: BSD-3-Clause */
/* build.h - makes the model of one run out of the profiles of its processes. */
#ifndef SIS_ANALYSIS_BUILD_H
#define SIS_ANALYSIS_BUILD_H

#include "model/experiment.h"

/* Orders the processes, whose profiles were read, puts them on one clock, and unifies regions,
 * nodes and times. */
int experiment_build(struct experiment *x, struct err *err);

#endif
