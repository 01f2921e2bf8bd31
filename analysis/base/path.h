/* SPDX-License-Identifier: BSD-3-Clause */
/* path.h - names of files as text; nothing is looked up on a disk. Results are the caller's to
 * free. */
#ifndef SIS_ANALYSIS_PATH_H
#define SIS_ANALYSIS_PATH_H

/* The absolute path, without "." and "..", of `file` as it is named in `directory`. NULL if neither
 * is absolute, or if `file` is no file (<stdin>). */
char *path_absolute(const char *directory, const char *file);
/* The longest directory that contains both absolute paths. */
char *path_common(const char *a, const char *b);
/* An absolute path relative to an absolute directory; the path itself if they share only the
 * root. */
char *path_relative(const char *directory, const char *path);

#endif
