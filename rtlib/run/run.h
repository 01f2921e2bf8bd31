/* SPDX-License-Identifier: BSD-3-Clause */
/* run.h - which run this process belongs to. Known once the header is complete. */
#ifndef SIS_RT_RUN_H
#define SIS_RT_RUN_H

#include "base/runtime.h"

#include <time.h>

#pragma GCC visibility push(hidden)

void sis__run_identify(struct sis_profile_header *header); /* its run_id */
bool sis__run_is_shared(void); /* a launcher started it: other processes belong to it, too */
/* the rank that the launcher gave, -1: none; size 0: not known */
int sis__run_launcher_rank(long *size);
int sis__run_pid(void);         /* the launcher's on this host, else this process's ... */
time_t sis__run_began(void);    /* ... and when it began */
bool sis__run_directory(char *path, size_t size); /* where experiments go; false: nowhere */
/* The process's rank in MPI_COMM_WORLD, noted in the header. */
SIS_EXPORT void sis__run_rank(int rank, int size);

#pragma GCC visibility pop
#endif
