/* SPDX-License-Identifier: BSD-3-Clause */
/* byte_reader.h - numbers of variable length (schema/unified.h) and bytes out of a buffer that may
 * be damaged. */
#ifndef SIS_ANALYSIS_BYTE_READER_H
#define SIS_ANALYSIS_BYTE_READER_H

#include <stddef.h>

#include "unified.h"

/* Reads numbers and bytes one after the other. Past the end it reads zeros and sets `bad`. */
struct byte_reader { const unsigned char *at, *end; bool bad; };
uint64_t read_number(struct byte_reader *in);
uint32_t read_number32(struct byte_reader *in); /* of a field of 32 bits */
/* NULL: there are fewer */
const unsigned char *read_bytes(struct byte_reader *in, uint64_t length);
/* A number of items that take at least `least` bytes each. If there is no room for so many: 0 and
 * `bad`. */
uint64_t read_count(struct byte_reader *in, uint64_t least);
static inline int64_t read_signed(struct byte_reader *in)
{
	return sis_zigzag_back(read_number(in));
}
static inline size_t bytes_left(const struct byte_reader *in) { return (size_t)(in->end - in->at); }

#endif
