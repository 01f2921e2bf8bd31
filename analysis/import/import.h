/* SPDX-License-Identifier: BSD-3-Clause */
/* import.h - a directory or an exported file becomes a stored experiment. */
#ifndef SIS_ANALYSIS_IMPORT_H
#define SIS_ANALYSIS_IMPORT_H

#include "store/store.h"

/* Stores the run of a directory, or of an exported file; `id` becomes its number. It is not read
 * again if it is there whole. `path` is absolute. */
int import_run(struct repo *repo, const char *path, const struct store_options *options,
	       int64_t *id, struct err *err);

#endif
