/* SPDX-License-Identifier: BSD-3-Clause */
/* turned_off.h - warns of regions that SIS_FILTER turned off. */
#ifndef SIS_ANALYSIS_TURNED_OFF_H
#define SIS_ANALYSIS_TURNED_OFF_H

#include "experiment/model/experiment.h"

/* Adds the warning. Called after the last translation unit was read. */
void turned_off_warn(const struct experiment_model *m, warning_list *warnings);

#endif
