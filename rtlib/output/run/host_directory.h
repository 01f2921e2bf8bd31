/* SPDX-License-Identifier: BSD-3-Clause */
/* host_directory.h - the directory of this host in which the processes of a run have their files
 * until these are complete (SIS_TMPDIR). */
#ifndef SIS_RT_HOST_DIRECTORY_H
#define SIS_RT_HOST_DIRECTORY_H

#pragma GCC visibility push(hidden)

/* Makes the directory for the run, or joins it. Returns its path; "": files are made in the
 * experiment's directory `experiment`, because SIS_TMPDIR is not set or cannot be used. */
const char *sis__host_directory(const char *experiment);
/* Called when the files of the process are complete: moves them into the host's file. What cannot
 * be moved stays for `sis-analyze collect`. */
void sis__host_directory_finish(const char *experiment);

#pragma GCC visibility pop
#endif
