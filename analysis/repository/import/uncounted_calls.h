/* SPDX-License-Identifier: BSD-3-Clause */
/* uncounted_calls.h - functions that are regions, and were also called without probes. */
#ifndef SIS_ANALYSIS_UNCOUNTED_CALLS_H
#define SIS_ANALYSIS_UNCOUNTED_CALLS_H

#include "experiment/model/experiment.h"

/* Warns of functions of which the linker kept copies without probes. */
void uncounted_calls_warn(struct experiment *x);

#endif
