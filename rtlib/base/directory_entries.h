/* SPDX-License-Identifier: BSD-3-Clause */
/* directory_entries.h - the names in a directory, without opendir. Its malloc and free would leave
 * text in memory that the program gets from malloc later. */
#ifndef SIS_DIRECTORY_ENTRIES_H
#define SIS_DIRECTORY_ENTRIES_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* Calls `each` with each name, "." and ".." included, until it returns false. A directory that
 * cannot be read has no names. */
void sis__each_entry(const char *path, bool (*each)(const char *name, void *data), void *data);

#pragma GCC visibility pop
#endif
