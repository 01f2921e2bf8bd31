/* SPDX-License-Identifier: BSD-3-Clause */
/* unmeasured_waits.h - waits of the program for which the source has no regions, so that they look
 * like work. */
#ifndef SIS_ANALYSIS_UNMEASURED_WAITS_H
#define SIS_ANALYSIS_UNMEASURED_WAITS_H

#include "model/experiment.h"

/* Tells the user of them: once all units are known. */
void unmeasured_waits_warn(struct experiment *x);

#endif
