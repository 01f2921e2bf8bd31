/* SPDX-License-Identifier: BSD-3-Clause */
/* hash.h - multiplicative hashes of integers and addresses, for tables in memory. Pure functions.
 *
 * A product with a large odd number is well mixed in its upper bits. sis_hash_top returns the upper
 * bits, for tables of 2^bits slots. sis_hash_mix mixes the upper bits into the lower ones, for
 * tables that use a mask. If the lowest bits of all addresses are the same, the caller first shifts
 * these bits out.
 *
 * Checksums in files (profile.h, source_checksum.h) have functions of their own, which never
 * change. */
#ifndef SIS_SCHEMA_HASH_H
#define SIS_SCHEMA_HASH_H

#include <stdint.h>

#define SIS_HASH_MULTIPLIER 0x9e3779b97f4a7c15u /* 2^64 divided by the golden ratio */
#define SIS_HASH_SECOND 0xff51afd7ed558ccdu     /* for a second hash */

static inline uint64_t sis_hash_top(uint64_t key, unsigned bits)
{
	return key * SIS_HASH_MULTIPLIER >> (64 - bits);
}

static inline uint64_t sis_hash_mix(uint64_t key)
{
	uint64_t h = key * SIS_HASH_MULTIPLIER;
	return h ^ h >> 29;
}

#endif
