/* SPDX-License-Identifier: BSD-3-Clause */
/* calibration_view.h - a calibration as text, CSV or JSON, and several side by side. */
#ifndef SIS_ANALYSIS_CALIBRATION_VIEW_H
#define SIS_ANALYSIS_CALIBRATION_VIEW_H

#include "calibrate/portions.h"
#include "commands/command.h"

void calibration_print(const struct calibration *c, const portion_list *portions,
		       enum format format);
/* One line for each setting of each. */
void calibrations_compare(const struct calibration *c, size_t n, enum format format);

#endif
