/* SPDX-License-Identifier: BSD-3-Clause */
/* import.h - imports a run's directory or an exported file as an experiment. */
#ifndef SIS_ANALYSIS_IMPORT_H
#define SIS_ANALYSIS_IMPORT_H

#include "repository/store/store.h"

/* Stores the run of a directory or of an exported file. Sets *id to its number. If the repository
 * already has the complete run, the run is not read again. `path` is absolute. */
int import_run(struct repo *repo, const char *path, const struct store_options *options,
	       int64_t *id, struct err *err);

#endif
