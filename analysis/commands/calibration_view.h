/* SPDX-License-Identifier: BSD-3-Clause */
/* calibration_view.h - prints one calibration, or several side by side, as text, CSV or JSON. */
#ifndef SIS_ANALYSIS_CALIBRATION_VIEW_H
#define SIS_ANALYSIS_CALIBRATION_VIEW_H

#include "answers/calibrate/portions.h"
#include "commands/command.h"

void calibration_print(const struct calibration *c, const portion_list *portions,
		       enum format format);
/* Prints a line for each setting of each of n calibrations. */
void calibrations_compare(const struct calibration *c, size_t n, enum format format);

#endif
