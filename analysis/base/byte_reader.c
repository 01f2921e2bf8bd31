/* SPDX-License-Identifier: BSD-3-Clause */
/* byte_reader.c - reads numbers and bytes from a buffer, and never past its end (byte_reader.h). */
#include "base/byte_reader.h"

/* -- numbers ----------------------------------------------------------------------------------- */

uint64_t read_number(struct byte_reader *in)
{
	uint64_t number = 0;
	for (unsigned shift = 0; shift < 64 && in->at < in->end; shift += 7) {
		unsigned char byte = *in->at++;
		number |= (uint64_t)(byte & 127) << shift;
		if (!(byte & 128) && (shift < 63 || byte <= 1))
			return number;
	}
	in->at = in->end;
	in->bad = true;
	return 0;
}

const unsigned char *read_bytes(struct byte_reader *in, uint64_t length)
{
	const unsigned char *at = in->at;
	if (length > bytes_left(in)) {
		in->bad = true;
		in->at = in->end;
		return NULL;
	}
	in->at += length;
	return at;
}

uint32_t read_number32(struct byte_reader *in)
{
	uint64_t n = read_number(in);
	in->bad |= n > UINT32_MAX;
	return (uint32_t)n;
}

uint64_t read_count(struct byte_reader *in, uint64_t least)
{
	uint64_t count = read_number(in);
	if (count <= bytes_left(in) / least)
		return count;
	in->bad = true;
	in->at = in->end;
	return 0;
}
