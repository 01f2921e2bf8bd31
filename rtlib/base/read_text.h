/* SPDX-License-Identifier: BSD-3-Clause */
/* read_text.h - small text files of the kernel. */
#ifndef SIS_READ_TEXT_H
#define SIS_READ_TEXT_H

#include <stddef.h>

#pragma GCC visibility push(hidden)

/* The file's text, NUL-terminated; returns its length, 0 if it cannot be read. */
size_t sis__read_file(const char *path, char *text, size_t size);
const char *sis__processor_text(void); /* the beginning of /proc/cpuinfo */

#pragma GCC visibility pop
#endif
