/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_map_read.h - reads the names of functions that a program generated. */
#ifndef SIS_ANALYSIS_PERF_MAP_READ_H
#define SIS_ANALYSIS_PERF_MAP_READ_H

#include "experiment/read/stacks_read.h"

/* Reads the text of a perf map into stacks->generated. */
void perf_map_read(struct stacks *stacks, const unsigned char *text, size_t bytes);

#endif
