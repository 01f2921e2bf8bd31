/* SPDX-License-Identifier: BSD-3-Clause */
/* store_memory.h - stores the memory that the samples of an experiment access. */
#ifndef SIS_ANALYSIS_STORE_MEMORY_H
#define SIS_ANALYSIS_STORE_MEMORY_H

#include "blame/attribute/memory.h"
#include "experiment/model/experiment.h"
#include "repository/database/repository.h"

struct memory_rows {
	const struct experiment *x;         /* `memory` has indices of its processes */
	const struct placed_memory *placed;
	const struct memory_blame *memory;
};

/* To be called after store_blame, whose row of table sampling says what was recorded. Memory of a
 * thread that has no processing unit counts for the initial thread of its process. */
int store_memory(struct repo *repo, int64_t experiment, const struct memory_rows *rows,
		 struct err *err);

#endif
