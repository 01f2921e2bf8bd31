/* SPDX-License-Identifier: BSD-3-Clause */
/* run_paths.h - where the files of a run are: in its directory, in the files of its hosts there
 * (schema/host_file.h), and in the directory of this host (SIS_TMPDIR). */
#ifndef SIS_ANALYSIS_RUN_PATHS_H
#define SIS_ANALYSIS_RUN_PATHS_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/mem.h"

/* A path of a file in a host's file ends in `host-HOST.sis@OFFSET/NAME`. Only run_path_open can
 * open it. */
typedef VEC(char *) run_paths;

/* Finds the files whose names, without directories, are wanted. They are in the order of their
 * names. */
void run_paths_find(run_paths *paths, const char *directory, bool (*is_wanted)(const char *name));
void run_paths_release(run_paths *paths);
/* As file_open. A file in a host's file is checked, and copied to a file without a name in TMPDIR.
 */
int run_path_open(const char *path, struct stat *st, struct err *err);
bool run_path_is_in_host_file(const char *path);
/* The path of another file of the same process, which the caller frees. The file may not exist. */
char *run_path_beside(const char *path, const char *name);

/* The value of a line KEY<TAB>VALUE of the file `run`, which the caller frees; without a key, its
 * first line, which is the name of the run. NULL: there is no such line. */
char *run_value(const char *directory, const char *key);
/* The directory of this host in which processes of the run have or had files, which the caller
 * frees; NULL: there is none. */
char *run_local_directory(const char *directory);

#endif
