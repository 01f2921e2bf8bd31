/* SPDX-License-Identifier: BSD-3-Clause */
/* source_sum.h - checksums of the files that regions lie in. */
#ifndef SISC_SOURCE_SUM_H
#define SISC_SOURCE_SUM_H

/* The checksum in 16 hexadecimal digits (source_checksum.h), to be freed; "" if the file is no
 * regular file, cannot be read, or is too large for a source. A relative name refers to `directory`
 * or, if `directory` is "", to the working directory. */
char *sis_source_sum(const char *directory, const char *file);

#endif
