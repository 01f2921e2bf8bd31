/* SPDX-License-Identifier: BSD-3-Clause */
/* pu_rows.h - the rows of processing units that samples belong to. */
#ifndef SIS_ANALYSIS_PU_ROWS_H
#define SIS_ANALYSIS_PU_ROWS_H

#include "base/map.h"
#include "model/experiment.h"
#include "repository/repository.h"

struct pu_rows {
	const struct experiment *x;
	struct map pu;             /* (process, slot) -> index of id */
	VEC(int64_t) id;
};

/* Of an experiment whose processing units are stored. It is to be released in any case. */
int pu_rows_load(struct pu_rows *rows, struct repo *repo, int64_t experiment,
		 const struct experiment *x, struct err *err);
/* The row id of a thread. That of the initial thread of its process if it has none, because it was
 * never measured; 0: its process is not known. `process`: index into x->model.process. */
int64_t pu_rows_of(const struct pu_rows *rows, uint32_t process, uint32_t slot);
void pu_rows_release(struct pu_rows *rows);

#endif
