/* SPDX-License-Identifier: BSD-3-Clause */
/* region_names.h - decides whether a text of the user names a region: by its name, its name and
 * line, its file and line, or its key. */
#ifndef SIS_ANALYSIS_REGION_NAMES_H
#define SIS_ANALYSIS_REGION_NAMES_H

#include <stdbool.h>
#include <stdint.h>

struct region_name { const char *name, *key, *file; int64_t line; };

/* A text may be: solve; omp for@12; omp for (all of that name); MPI_Recv@25; solve.c:25;
 * src/solve.c:25; a key. */
bool region_is_named(const struct region_name *region, const char *text);

#endif
