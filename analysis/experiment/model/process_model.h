/* SPDX-License-Identifier: BSD-3-Clause */
/* process_model.h - puts one process's trees into the experiment's call graph. Called by
 * build.c. */
#ifndef SIS_ANALYSIS_PROCESS_MODEL_H
#define SIS_ANALYSIS_PROCESS_MODEL_H

#include "experiment/model/experiment.h"

/* Adds the regions, nodes, times, summaries and metrics of a process. */
int model_add_process(struct experiment_model *m, struct process *process, warning_list *warnings,
		      struct err *err);
/* Finds the root of all nodes, or adds it if no process has a tree. Called after the last process
 * was added. */
void model_find_root(struct experiment_model *m, warning_list *warnings);
/* Fills drg_node.source. Called after model_find_root. */
void model_find_sources(struct experiment_model *m);

#endif
