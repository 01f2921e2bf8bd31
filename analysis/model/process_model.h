/* SPDX-License-Identifier: BSD-3-Clause */
/* process_model.h - puts one process's trees into the experiment's call graph. Called by
 * build.c. */
#ifndef SIS_ANALYSIS_PROCESS_MODEL_H
#define SIS_ANALYSIS_PROCESS_MODEL_H

#include "model/experiment.h"

/* Adds a placed process: regions, nodes, times, summaries, metrics. */
int model_add_process(struct experiment *x, struct process *process, struct err *err);
/* The global node of all roots (RT_RUN); made if no process has a tree. */
uint32_t model_root(struct experiment *x);
/* Fills drg_node.source, once all processes are in. */
void model_find_sources(struct experiment *x);

#endif
