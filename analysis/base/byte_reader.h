/* SPDX-License-Identifier: BSD-3-Clause */
/* byte_reader.h - reads numbers of variable length (schema/blame.h) and bytes from a buffer that
 * may be damaged. */
#ifndef SIS_ANALYSIS_BYTE_READER_H
#define SIS_ANALYSIS_BYTE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A position in the buffer. Reading past the end gives zeros and sets `bad`. */
struct byte_reader { const unsigned char *at, *end; bool bad; };
uint64_t read_number(struct byte_reader *in);
uint32_t read_number32(struct byte_reader *in); /* sets `bad` if the number does not fit */
/* Returns the next `length` bytes, or NULL if fewer bytes are left. */
const unsigned char *read_bytes(struct byte_reader *in, uint64_t length);
/* Reads the number of items that follow, each of at least `least` bytes. If the buffer is too short
 * for so many, returns 0 and sets `bad`. */
uint64_t read_count(struct byte_reader *in, uint64_t least);
static inline int64_t read_signed(struct byte_reader *in)
{
	uint64_t number = read_number(in);
	return (int64_t)(number >> 1 ^ -(number & 1));
}
static inline size_t bytes_left(const struct byte_reader *in) { return (size_t)(in->end - in->at); }

#endif
