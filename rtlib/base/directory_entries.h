/* SPDX-License-Identifier: BSD-3-Clause */
/* directory_entries.h - the names in a directory, without opendir. opendir calls malloc and free,
 * and would leave text in memory that the program later gets from malloc. */
#ifndef SIS_DIRECTORY_ENTRIES_H
#define SIS_DIRECTORY_ENTRIES_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* Calls `each` with each name, "." and ".." included, until `each` returns false. A directory that
 * cannot be read is treated as empty. */
void sis__each_entry(const char *path, bool (*each)(const char *name, void *data), void *data);

#pragma GCC visibility pop
#endif
