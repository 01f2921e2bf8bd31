/* SPDX-License-Identifier: BSD-3-Clause */
/* pair_costs.h - what the probes of each node cost. */
#ifndef SIS_ANALYSIS_PAIR_COSTS_H
#define SIS_ANALYSIS_PAIR_COSTS_H

#include "experiment/model/experiment.h"

/* The cost of probes in nanoseconds. inside: counted in the activations themselves; outside: in the
 * region around them. */
struct pair_cost { double inside, outside; };

/* For each node of the process's profile, the cost of the probes of all its activations. The caller
 * frees the list. */
struct pair_cost *pair_costs(const struct experiment *x, const struct process *process);

#endif
