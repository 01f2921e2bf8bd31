/* SPDX-License-Identifier: BSD-3-Clause */
/* directory.h - the experiment directory and the process's file in it. */
#ifndef SIS_DIRECTORY_H
#define SIS_DIRECTORY_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

/* Claims the directory and makes the process's file in it. The file's name contains `rank`, unless
 * this is -1. Returns the file's descriptor or -errno. */
int sis__directory_create_file(int rank);
void sis__directory_remove_file(void);   /* called if nothing can be written to the file */
/* Notes that this process has no profile. `life` is its life in ns, or a word that says why it was
 * not measured (analysis/experiment/read/short_programs.c). */
void sis__directory_note_process(const char *life, int64_t cpu_ns);
/* Called when all files of the process are complete. */
void sis__directory_finish(void);
void sis__directory_new_process(void);   /* in a forked child: the file belongs to the parent */
const char *sis__directory_wanted(void); /* the name that was tried, for messages */
SIS_EXPORT const char *sis__store_directory(void); /* "": there is no file */

#pragma GCC visibility pop
#endif
