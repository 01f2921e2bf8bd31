/* SPDX-License-Identifier: BSD-3-Clause */
/* calibrate.h - what a pair of probes costs. */
#ifndef SIS_CALIBRATE_H
#define SIS_CALIBRATE_H

#include "profile.h"

#pragma GCC visibility push(hidden)

void sis__clock_calibrate(struct sis_profile_header *header); /* the clock's rate and the cost */

void sis__calibration_note(void); /* into the profile */

#pragma GCC visibility pop
#endif
