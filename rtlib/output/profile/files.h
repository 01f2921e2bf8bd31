/* SPDX-License-Identifier: BSD-3-Clause */
/* files.h - the files that a process writes to. They can be opened again by their paths. Functions
 * return -errno on failure.
 */
#ifndef SIS_RT_FILES_H
#define SIS_RT_FILES_H

#include <stdbool.h>
#include <sys/types.h>

#pragma GCC visibility push(hidden)

/* The files of a process. */
enum sis_file { SIS_FILE_PROFILE, SIS_FILE_TRACE, SIS_FILE_RING, SIS_FILE_STACKS, SIS_FILES };
int sis__file_create(enum sis_file which, const char *path); /* returns a descriptor */
int sis__file_open(enum sis_file which);                     /* opens the file again */
void sis__file_close(int fd);                    /* for descriptors of the first two functions */
const char *sis__file_path(enum sis_file which); /* "": there is no such file */
void sis__file_remove(enum sis_file which);      /* removes the file from its directory */
void sis__file_forget(enum sis_file which);      /* the process no longer has this file */
/* Called before the program may make the paths unusable: keeps a descriptor of each file. */
void sis__files_keep(void);
int sis__file_make(const char *path);            /* makes any new file, open for writing */
int sis__file_make_directory(const char *path);

#pragma GCC visibility pop
#endif
