/* SPDX-License-Identifier: BSD-3-Clause */
/* run.h - which run this process belongs to. This is known as soon as the header is complete. */
#ifndef SIS_RT_RUN_H
#define SIS_RT_RUN_H

#include "base/runtime.h"

#include <time.h>

#pragma GCC visibility push(hidden)

void sis__run_identify(struct sis_profile_header *header); /* fills in header->run_id */
bool sis__run_is_shared(void); /* the run may have other processes */
/* Returns the rank that the launcher gave this process; -1: none. Sets *size to the number of
 * ranks, or to 0 if this is not known. */
int sis__run_launcher_rank(long *size);
/* The number of the launcher's process on this host or, without a launcher, of this process. */
int sis__run_pid(void);
/* When the launcher's process on this host began or, without a launcher, the present time. */
time_t sis__run_began(void);
/* The directory in which the run's experiment is made. False: it is not known. */
bool sis__run_directory(char *path, size_t size);
/* Notes the process's rank in MPI_COMM_WORLD in the header. */
SIS_EXPORT void sis__run_rank(int rank, int size);

#pragma GCC visibility pop
#endif
