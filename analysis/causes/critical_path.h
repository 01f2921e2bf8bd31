/* SPDX-License-Identifier: BSD-3-Clause */
/* critical_path.h - the path through the run that its length is due to. */
#ifndef SIS_ANALYSIS_CRITICAL_PATH_H
#define SIS_ANALYSIS_CRITICAL_PATH_H

#include "causes/thread_waits.h"

/* Fills x->causes.critical, whose sum is T_p. After the delay costs. */
void critical_path(const struct experiment *x, struct experiment_causes *c,
		   const struct thread_waits *threads);

#endif
