/* SPDX-License-Identifier: BSD-3-Clause */
/* store_internal.h - between store.c, which writes what describes an experiment, and
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
	struct strmap tu_by_path; /* the unit that a file is the main one of */
	int64_t *region, *node, *host, *pu, *communicator; /* row ids; host: of a process's node */
	uint32_t *summary; /* row ids less first_summary */
	int64_t first_summary;
};

/* The call graph, and all that hangs on its nodes; regions, processing units and hosts have their
 * rows. */
int store_measured(struct store *s);

#endif
