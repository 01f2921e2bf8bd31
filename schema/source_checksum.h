/* SPDX-License-Identifier: BSD-3-Clause */
/* source_checksum.h - the checksum of a source file, by which sis-analyze knows that a file is
 * still the one that sisc compiled: FNV-1a of its bytes, 64 bits, 16 hexadecimal digits in
 * descriptions.
 *
 * It also keeps sis-analyze from printing a file that was never a source. An experiment may come
 * from another user and name any file of its reader, as /etc/shadow. That file is printed only if
 * the experiment holds its checksum, which its author has to know or to guess: one chance in 2^64
 * for each file that a description names.
 *
 * LIMIT: FNV-1a is no cryptographic hash. A second text with the checksum of a known one can be
 * made, and is then shown as the text that was compiled. The output also says whether a checksum
 * was right, so it confirms a guess of a whole file to everybody who sees it, as it would with any
 * hash. */
#ifndef SIS_SCHEMA_SOURCE_CHECKSUM_H
#define SIS_SCHEMA_SOURCE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#define SIS_SOURCE_CHECKSUM_START 14695981039346656037u

/* No source is larger: larger files get no checksum and are never shown. */
#define SIS_SOURCE_MOST_BYTES ((int64_t)64 << 20)

/* `h`: of the bytes before, SIS_SOURCE_CHECKSUM_START at first. */
static inline uint64_t sis_source_checksum(uint64_t h, const void *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		h = (h ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
	return h;
}

#endif
