/* SPDX-License-Identifier: BSD-3-Clause */
/* pu_rows.h - finds the rows of processing units to which samples belong. */
#ifndef SIS_ANALYSIS_PU_ROWS_H
#define SIS_ANALYSIS_PU_ROWS_H

#include "base/map.h"
#include "experiment/model/experiment.h"
#include "repository/database/repository.h"

struct pu_rows {
	const struct experiment *x;
	struct map pu;             /* (process, slot) -> index of id */
	VEC(int64_t) id;
};

/* Loads the rows of an experiment whose processing units are stored. `rows` must be released even
 * after a failure. */
int pu_rows_load(struct pu_rows *rows, struct repo *repo, int64_t experiment,
		 const struct experiment *x, struct err *err);
/* The row id of a thread. A thread that was never measured has no row; the result is then that of
 * the initial thread of its process. It is 0 if the process is not known. `process` is an index
 * into x->model.process. */
int64_t pu_rows_of(const struct pu_rows *rows, uint32_t process, uint32_t slot);
void pu_rows_release(struct pu_rows *rows);

#endif
