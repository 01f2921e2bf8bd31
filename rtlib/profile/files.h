/* SPDX-License-Identifier: BSD-3-Clause */
/* files.h - the files that a process writes to, opened again by their paths. Functions return
 * -errno on failure.
 */
#ifndef SIS_RT_FILES_H
#define SIS_RT_FILES_H

#include <stdbool.h>
#include <sys/types.h>

#pragma GCC visibility push(hidden)

/* What a process writes to. */
enum sis_file { SIS_FILE_PROFILE, SIS_FILE_TRACE, SIS_FILE_RING, SIS_FILE_STACKS, SIS_FILES };
int sis__file_create(enum sis_file which, const char *path); /* descriptor, for sis__file_close */
int sis__file_open(enum sis_file which);                     /* it again */
void sis__file_close(int fd);
const char *sis__file_path(enum sis_file which); /* "": there is none */
void sis__file_remove(enum sis_file which);      /* from its directory */
void sis__file_forget(enum sis_file which);
void sis__files_keep(void);                      /* before their paths may become unusable */
int sis__file_make(const char *path);            /* any new one, open for writing */
int sis__file_make_directory(const char *path);
void sis__file_own(int fd, mode_t rights);       /* its owner has at least these */

#pragma GCC visibility pop
#endif
