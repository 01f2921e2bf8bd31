/* SPDX-License-Identifier: BSD-3-Clause */
/* byte_reader.c - see byte_reader.h. */
#include "base/byte_reader.h"

/* -- numbers ----------------------------------------------------------------------------------- */

uint64_t read_number(struct byte_reader *in)
{
	uint64_t number;
	unsigned n = sis_number_get(in->at, bytes_left(in), &number);
	in->at = n ? in->at + n : in->end;
	in->bad |= n == 0;
	return n ? number : 0;
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
