/* SPDX-License-Identifier: BSD-3-Clause */
/* measured_less.h - finds which regions were measured less, so that probes stayed within
 * SIS_OVERHEAD. */
#ifndef SIS_ANALYSIS_MEASURED_LESS_H
#define SIS_ANALYSIS_MEASURED_LESS_H

#include <stdio.h>

#include "base/table.h"
#include "repository/database/repository.h"

/* One row for each region and rung, the lowest rung first. The caller releases the table, also
 * after an error. */
int measured_less_load(struct table *table, struct repo *repo, int64_t experiment, struct err *err);
/* Prints at most `most` regions, one in each line. Prints nothing if there are no such regions. */
void measured_less_print(const struct table *table, size_t most, FILE *out);
void measured_less_json(const struct table *table, struct json *json);

#endif
