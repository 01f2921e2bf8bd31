/* SPDX-License-Identifier: BSD-3-Clause */
/* source_sum.h - checksums of the files that regions lie in. */
#ifndef SISC_SOURCE_SUM_H
#define SISC_SOURCE_SUM_H

/* 16 hexadecimal digits (source_checksum.h), to be freed; "": it is no regular file, cannot be read
 * or is too large for a source. `directory`: where a relative name starts; "": the working
 * directory. */
char *sis_source_sum(const char *directory, const char *file);

#endif
