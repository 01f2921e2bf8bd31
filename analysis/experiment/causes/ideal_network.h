/* SPDX-License-Identifier: BSD-3-Clause */
/* ideal_network.h - how long the run would have taken if messages took no time. */
#ifndef SIS_ANALYSIS_IDEAL_NETWORK_H
#define SIS_ANALYSIS_IDEAL_NETWORK_H

#include "experiment/model/experiment.h"

/* Computes c->ideal_ns. It becomes -1 if not all operations were matched. Called after
 * match_waits. */
void ideal_network(const struct experiment *x, struct experiment_causes *c);

#endif
