/* SPDX-License-Identifier: BSD-3-Clause */
/* path.h - names of files as text; nothing is looked up on a disk. Results are the caller's to
 * free. */
#ifndef SIS_ANALYSIS_PATH_H
#define SIS_ANALYSIS_PATH_H

/* The one absolute path, without "." and "..", of `file` as it is named in `directory`.
 * NULL: neither is absolute, or it is no file (<stdin>). */
char *path_absolute(const char *directory, const char *file);
/* The longest directory that holds both absolute ones. */
char *path_common(const char *a, const char *b);
/* An absolute path as seen from an absolute directory; itself when they share nothing but the
 * root. */
char *path_relative(const char *directory, const char *path);

#endif
