/* SPDX-License-Identifier: BSD-3-Clause */
/* path.h - computes with names of files as text, without access to a disk. The caller frees the
 * results that are not const. */
#ifndef SIS_ANALYSIS_PATH_H
#define SIS_ANALYSIS_PATH_H

#include <stdint.h>

/* The absolute path of `file`, without "." and "..". A relative `file` begins in `directory`. The
 * result is NULL if neither is absolute, or if `file` is no file (<stdin>). */
char *path_absolute(const char *directory, const char *file);
/* The last name of a path: a part of `path`, which is not freed. */
const char *path_base(const char *path);
/* The longest directory that contains both absolute paths. */
char *path_common(const char *a, const char *b);
/* The absolute `path` relative to the absolute `directory`. If they have only the root in common,
 * the result is the absolute path. */
char *path_relative(const char *directory, const char *path);
/* Where something is, for users: FILE:LINE, FILE if the line is 0, or - if there is no file. */
char *path_place(const char *file, int64_t line);

#endif
