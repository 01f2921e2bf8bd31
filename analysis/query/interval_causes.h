/* SPDX-License-Identifier: BSD-3-Clause */
/* interval_causes.h - the culprits of the waits in an interval of the run, as rows for
 * statements. */
#ifndef SIS_ANALYSIS_INTERVAL_CAUSES_H
#define SIS_ANALYSIS_INTERVAL_CAUSES_H

#include "query/traced_run.h"

/* Makes temp.delay and temp.wait_pair of the causes in run->x, which are those of an interval
 * (causes/interval_costs.h). Statements that name no schema read them instead of the stored tables
 * from now on. */
int interval_causes_store(struct repo *repo, const struct traced_run *run, struct err *err);

#endif
