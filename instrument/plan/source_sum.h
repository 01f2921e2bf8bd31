/* SPDX-License-Identifier: BSD-3-Clause */
/* source_sum.h - checksums of the files that regions lie in. */
#ifndef SISC_SOURCE_SUM_H
#define SISC_SOURCE_SUM_H

/* The checksum in 16 hexadecimal digits (source_checksum.h), to be freed; "": the file is no
 * regular file, cannot be read, or is too large for a source. `directory`: to which a relative name
 * refers; "": the working directory. */
char *sis_source_sum(const char *directory, const char *file);

#endif
