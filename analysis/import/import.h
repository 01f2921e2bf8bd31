/* SPDX-License-Identifier: BSD-3-Clause */
/* import.h - a directory or an exported file becomes a stored experiment. */
#ifndef SIS_ANALYSIS_IMPORT_H
#define SIS_ANALYSIS_IMPORT_H

#include "store/store.h"

/* The run of a directory, or of an exported file, in the repository: `id` is its number there. It
 * is read if it is not there whole. `path` is absolute. */
int import_run(struct repo *repo, const char *path, const struct store_options *options,
	       int64_t *id, struct err *err);

#endif
