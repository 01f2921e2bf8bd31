/* SPDX-License-Identifier: BSD-3-Clause */
/* read_text.h - small text files of the kernel. */
#ifndef SIS_READ_TEXT_H
#define SIS_READ_TEXT_H

#include <stddef.h>

#pragma GCC visibility push(hidden)

/* Stores the file's text, with a NUL at the end. Returns the length of the text; 0: the file cannot
 * be read. */
size_t sis__read_file(const char *path, char *text, size_t size);
const char *sis__processor_text(void); /* the beginning of /proc/cpuinfo */

#pragma GCC visibility pop
#endif
