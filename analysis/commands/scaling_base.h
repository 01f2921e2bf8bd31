/* SPDX-License-Identifier: BSD-3-Clause */
/* scaling_base.h - the base with which other runs are compared: the best, or the mean, of repeated
 * runs. */
#ifndef SIS_ANALYSIS_SCALING_BASE_H
#define SIS_ANALYSIS_SCALING_BASE_H

#include "commands/command.h"
#include "answers/query/runs.h"

enum base_kind { BASE_MEAN, BASE_BEST };

#define BASE_OPTION \
	{ \
		"--base", "KIND", \
			"of repeated runs, those compared with are their `mean` (default), or " \
			"the `best` of them" \
	}

int base_option(const struct cli *cli, enum base_kind *kind, struct err *err);
/* Finds the base in n > 0 runs, the first of which is the base or a repetition of the base. `id`,
 * which has room for n ids, gets the ids of the runs whose mean is the base. Returns their
 * number. */
size_t base_ids(const struct run *run, size_t n, enum base_kind kind, int64_t *id);
/* The name of the base, such as "a", "the mean of a, b", or "b, the best of a, b". The caller frees
 * it. */
char *base_name(const struct run *run, size_t n, enum base_kind kind);

#endif
