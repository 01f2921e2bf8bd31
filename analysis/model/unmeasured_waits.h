/* SPDX-License-Identifier: BSD-3-Clause */
/* unmeasured_waits.h - warns of waits that are no regions of the source, so that they look like
 * work. */
#ifndef SIS_ANALYSIS_UNMEASURED_WAITS_H
#define SIS_ANALYSIS_UNMEASURED_WAITS_H

#include "model/experiment.h"

/* Adds the warning. Called after the last translation unit was read. */
void unmeasured_waits_warn(const struct experiment_model *m, warning_list *warnings);

#endif
