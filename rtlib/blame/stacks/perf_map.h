/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_map.h - the names of functions that a compiler in the program (JIT) has generated. */
#ifndef SIS_PERF_MAP_H
#define SIS_PERF_MAP_H

#pragma GCC visibility push(hidden)

/* Copies the program's perf map, if there is one, into the file of samples. */
void sis__perf_map_keep(void);

#pragma GCC visibility pop
#endif
