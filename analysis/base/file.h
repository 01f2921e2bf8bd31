/* SPDX-License-Identifier: BSD-3-Clause */
/* file.h - opens a regular file for reading. If the path is something else, the error says what it
 * is. */
#ifndef SIS_ANALYSIS_FILE_H
#define SIS_ANALYSIS_FILE_H

#include <sys/stat.h>

#include "base/err.h"

/* Returns a descriptor or, after a failure, a negative number. Fills *st, unless `st` is NULL.
 * Never waits for another program, as opening a FIFO would. */
int file_open(const char *path, struct stat *st, struct err *err);
/* Fails if `path` exists and is not a regular file. To be called before a library opens a file by
 * name. */
int file_check(const char *path, struct err *err);

#endif
