/* SPDX-License-Identifier: BSD-3-Clause */
/* store_internal.h - what store.c and store_measured.c share. store.c writes the description of an
 * experiment, store_measured.c the measured values. */
#ifndef SIS_ANALYSIS_STORE_INTERNAL_H
#define SIS_ANALYSIS_STORE_INTERNAL_H

#include "base/buf.h"
#include "repository/store/store.h"

struct store {
	struct repo *repo;
	const struct experiment *x;
	const struct store_options *options;
	struct err *err;
	int64_t application, version, virtual_machine, experiment;
	struct strmap tu_by_path; /* from a main file to the index of its translation unit */
	/* row ids by index of the model; host: by process, the row of its host */
	int64_t *region, *node, *host, *pu, *communicator;
	uint32_t *summary; /* row ids, less first_summary */
	int64_t first_summary;
};

/* Writes the call graph and all rows that refer to its nodes. Regions, processing units and hosts
 * must have been written before. */
int store_measured(struct store *s);

#endif
