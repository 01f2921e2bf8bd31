/* SPDX-License-Identifier: BSD-3-Clause */
/* interval_causes.h - makes tables of the culprits of waits in an interval of the run, for SQL
 * statements. */
#ifndef SIS_ANALYSIS_INTERVAL_CAUSES_H
#define SIS_ANALYSIS_INTERVAL_CAUSES_H

#include "answers/query/traced_run.h"

/* Makes temp.delay and temp.wait_pair from the causes in run->x, which are those of an interval
 * (experiment/causes/interval_costs.h). From now on, statements that name no schema read these
 * instead of the stored tables. */
int interval_causes_store(struct repo *repo, const struct traced_run *run, struct err *err);

#endif
