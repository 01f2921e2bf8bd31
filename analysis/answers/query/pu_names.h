/* SPDX-License-Identifier: BSD-3-Clause */
/* pu_names.h - makes the names that processing units have in text: "rank 1, thread 0". */
#ifndef SIS_ANALYSIS_PU_NAMES_H
#define SIS_ANALYSIS_PU_NAMES_H

#include "repository/database/repository.h"

/* Adds the processing units of an experiment to temp.pu_name(pu, experiment, name), unless they are
 * there already. A process that called MPI is named "rank", any other one "process". In an
 * experiment of one process, names have only the thread. */
int pu_names_load(struct repo *repo, int64_t experiment, struct err *err);

#endif
