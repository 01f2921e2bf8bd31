/* SPDX-License-Identifier: BSD-3-Clause */
/* pair_costs.h - what the probes of each node cost. */
#ifndef SIS_ANALYSIS_PAIR_COSTS_H
#define SIS_ANALYSIS_PAIR_COSTS_H

#include "model/experiment.h"

/* Nanoseconds: of all activations of a node, inside and in the region around it. */
struct pair_cost { double inside, outside; };

/* The costs of each node of the process's profile. The caller frees them. */
struct pair_cost *pair_costs(const struct experiment *x, const struct process *process);

#endif
