/* SPDX-License-Identifier: BSD-3-Clause */
/* store_lines.h - writes the samples of lines. */
#ifndef SIS_ANALYSIS_STORE_LINES_H
#define SIS_ANALYSIS_STORE_LINES_H

#include "experiment/model/experiment.h"
#include "repository/database/repository.h"

/* Processing units must have been written before. */
int store_lines(struct repo *repo, int64_t experiment, const struct experiment *x,
		struct err *err);

#endif
