/* SPDX-License-Identifier: BSD-3-Clause */
/* build.h - makes the model of one run out of the profiles of its processes. */
#ifndef SIS_ANALYSIS_BUILD_H
#define SIS_ANALYSIS_BUILD_H

#include "model/experiment.h"

/* Fills *m, which is x->model and has the processes with their profiles. Orders the processes, puts
 * them on one clock, and unifies regions, nodes and times. */
int experiment_build(const struct experiment *x, struct experiment_model *m, warning_list *warnings,
		     struct err *err);

#endif
