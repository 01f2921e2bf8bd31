/* SPDX-License-Identifier: BSD-3-Clause */
/* file.h - opens a regular file for reading; anything else is an error that says what it is. */
#ifndef SIS_ANALYSIS_FILE_H
#define SIS_ANALYSIS_FILE_H

#include <sys/stat.h>

#include "base/err.h"

/* Returns a descriptor, or negative. Fills *st (may be NULL). Never waits for another program. */
int file_open(const char *path, struct stat *st, struct err *err);
/* For libraries that open by name: fails if `path` exists and is not a regular file. */
int file_check(const char *path, struct err *err);

#endif
