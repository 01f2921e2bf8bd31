/* SPDX-License-Identifier: BSD-3-Clause */
/* record_write.h - a record into a chunk, as the runtime's log does. */
#ifndef SIS_TESTS_RECORD_WRITE_H
#define SIS_TESTS_RECORD_WRITE_H

#include <string.h>

#include "record.h"

/* Packs `r` to `chunk`, of which `used` bytes are; the bytes that were added. */
static inline unsigned pack_record(struct sis_record_pack *pack, const struct sis_record *r,
				   unsigned char *chunk, unsigned used)
{
	static const uint32_t pad = SIS_RECORD_PAD;
	struct sis_record whole;
	unsigned bytes = sis_record_pack_short(pack, r, chunk + used);
	if (bytes)
		return bytes;
	if (used % 8)
		memcpy(chunk + used, &pad, bytes = sizeof pad);
	sis_record_pack_whole(pack, r, &whole);
	memcpy(chunk + used + bytes, &whole, sizeof whole);
	return bytes + sizeof whole;
}

#endif
