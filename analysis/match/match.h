/* SPDX-License-Identifier: BSD-3-Clause */
/* match.h - waits between processes: matches the records of the participants of each MPI
 * operation. */
#ifndef SIS_ANALYSIS_MATCH_H
#define SIS_ANALYSIS_MATCH_H

#include "model/experiment.h"

/* Fills process.waits of every process; what found no partner is counted in a warning. */
void match_waits(struct experiment *x);
void match_release(struct experiment_match *m);

#endif
