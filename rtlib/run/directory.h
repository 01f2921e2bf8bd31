/* SPDX-License-Identifier: BSD-3-Clause */
/* directory.h - the experiment directory and the process's file in it. */
#ifndef SIS_DIRECTORY_H
#define SIS_DIRECTORY_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

/* Claims the directory and makes the process's file in it, named by `rank` (-1: none). Descriptor
 * or -errno. */
int sis__directory_create_file(int rank);
void sis__directory_remove_file(void);   /* if nothing can be written to it */
void sis__directory_new_process(void);   /* in a forked child: the file is its parent's */
const char *sis__directory_wanted(void); /* the name that was tried, for messages */
SIS_EXPORT const char *sis__store_directory(void); /* "": there is no file */

#pragma GCC visibility pop
#endif
