/* SPDX-License-Identifier: BSD-3-Clause */
/* match.h - finds waits between processes, by matching the records of the participants of each MPI
 * operation. */
#ifndef SIS_ANALYSIS_MATCH_H
#define SIS_ANALYSIS_MATCH_H

#include "experiment/model/experiment.h"

/* Fills *m, which is x->match, from the model. Warns of operations that found no partner. */
void match_waits(const struct experiment *x, struct experiment_match *m, warning_list *warnings);
void match_release(struct experiment_match *m);

#endif
