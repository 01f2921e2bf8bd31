/* SPDX-License-Identifier: BSD-3-Clause */
/* analyze.h - what the profiles of a run mean: waits, their causes, and the overhead tree. */
#ifndef SIS_ANALYSIS_ANALYZE_H
#define SIS_ANALYSIS_ANALYZE_H

#include "model/experiment.h"

/* Fills in all that follows from the model that model/build.c has made. */
void analyze(struct experiment *x);

#endif
