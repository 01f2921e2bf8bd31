/* SPDX-License-Identifier: BSD-3-Clause */
/* critical_path.h - the critical path: the chain of work that determines the length of the run. */
#ifndef SIS_ANALYSIS_CRITICAL_PATH_H
#define SIS_ANALYSIS_CRITICAL_PATH_H

#include "experiment/causes/thread_waits.h"

/* Fills x->causes.critical, whose sum is T_p. Called after the delay costs are known. */
void critical_path(const struct experiment *x, struct experiment_causes *c,
		   const struct thread_waits *threads);

#endif
