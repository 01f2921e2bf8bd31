/* SPDX-License-Identifier: BSD-3-Clause */
/* calibrate.h - measures what a pair of probes costs. */
#ifndef SIS_CALIBRATE_H
#define SIS_CALIBRATE_H

#include "profile.h"

#pragma GCC visibility push(hidden)

/* Measures the clock's rate and the cost of a pair of probes. */
void sis__clock_calibrate(struct sis_profile_header *header);

void sis__calibration_note(void); /* writes the other results into the profile, as text */

#pragma GCC visibility pop
#endif
