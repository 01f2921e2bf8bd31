/* SPDX-License-Identifier: BSD-3-Clause */
/* scaling_base.h - the run that others are compared with: the best or the mean of repeated runs. */
#ifndef SIS_ANALYSIS_SCALING_BASE_H
#define SIS_ANALYSIS_SCALING_BASE_H

#include "commands/command.h"
#include "query/runs.h"

enum base_kind { BASE_MEAN, BASE_BEST };

#define BASE_OPTION \
	{ \
		"--base", "KIND", \
			"of repeated runs, those compared with are their `mean` (default), or " \
			"the `best` of them" \
	}

int base_option(const struct cli *cli, enum base_kind *kind, struct err *err);
/* The base of n > 0 runs, the first of which is the base or a repetition of it: the ids of those
 * whose mean it is. Returns their number; `id` has room for n. */
size_t base_ids(const struct run *run, size_t n, enum base_kind kind, int64_t *id);
/* "a", "the mean of a, b", or "b, the best of a, b"; the caller frees it. */
char *base_name(const struct run *run, size_t n, enum base_kind kind);

#endif
