/* SPDX-License-Identifier: BSD-3-Clause */
/* store_internal.h - shared by store.c, which writes the description of an experiment, and
 * store_measured.c, which writes what was measured. */
#ifndef SIS_ANALYSIS_STORE_INTERNAL_H
#define SIS_ANALYSIS_STORE_INTERNAL_H

#include "base/buf.h"
#include "store/store.h"

struct store {
	struct repo *repo;
	const struct experiment *x;
	const struct store_options *options;
	struct err *err;
	int64_t application, version, virtual_machine, experiment;
	struct strmap tu_by_path; /* index of the translation unit whose main file it is */
	/* row ids; host: of the host of a process */
	int64_t *region, *node, *host, *pu, *communicator;
	uint32_t *summary; /* row ids minus first_summary */
	int64_t first_summary;
};

/* Writes the call graph and all rows that refer to its nodes. Regions, processing units and hosts
 * were written before. */
int store_measured(struct store *s);

#endif
