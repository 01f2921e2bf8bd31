/* SPDX-License-Identifier: BSD-3-Clause */
/* processors.h - counts the processors that the processes of an experiment could use. */
#ifndef SIS_ANALYSIS_PROCESSORS_H
#define SIS_ANALYSIS_PROCESSORS_H

#include "repository/database/repository.h"

/* Counts these processors on all hosts. *count is 0 if they are not known. */
int processors_count(int64_t *count, struct repo *repo, int64_t experiment, struct err *err);

#endif
