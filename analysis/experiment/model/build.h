/* SPDX-License-Identifier: BSD-3-Clause */
/* build.h - makes the model of one run from the profiles of its processes. */
#ifndef SIS_ANALYSIS_BUILD_H
#define SIS_ANALYSIS_BUILD_H

#include "experiment/model/experiment.h"

/* Fills *m, which is x->model. The caller has already added the processes with their profiles.
 * Orders the processes, converts their times to one clock, and unifies regions, nodes and times. */
int experiment_build(const struct experiment *x, struct experiment_model *m, warning_list *warnings,
		     struct err *err);

#endif
