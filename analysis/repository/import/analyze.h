/* SPDX-License-Identifier: BSD-3-Clause */
/* analyze.h - analyzes the model of a run: waits, their causes, and the overhead tree. */
#ifndef SIS_ANALYSIS_ANALYZE_H
#define SIS_ANALYSIS_ANALYZE_H

#include "experiment/model/experiment.h"

/* Fills x->match, x->classify and x->causes from x->model. */
void analyze(struct experiment *x);
/* The last part of analyze: fills x->causes from the other results. */
void analyze_causes(struct experiment *x);

#endif
