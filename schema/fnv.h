/* SPDX-License-Identifier: BSD-3-Clause */
/* fnv.h - the hash FNV-1a of a sequence of bytes, 64 bits. */
#ifndef SIS_SCHEMA_FNV_H
#define SIS_SCHEMA_FNV_H

#include <stddef.h>
#include <stdint.h>

#define SIS_FNV_START 14695981039346656037u

/* Hashes more bytes. `h` is the hash of the bytes before them; SIS_FNV_START: there are none. */
static inline uint64_t sis_fnv(uint64_t h, const void *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		h = (h ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
	return h;
}

#endif
