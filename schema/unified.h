/* SPDX-License-Identifier: BSD-3-Clause */
/* unified.h - the profiles of all ranks of a run in one file, ranks.sis, byte by byte.
 *
 * In MPI_Finalize the ranks agree on the position of each rank's part. A part is a compressed copy
 * of the process's own file (profile.h). Each process writes its part when it ends, because then
 * nothing more is added to its data. Afterwards it removes its own file, which is valid until then.
 * So a missing part (all zeros) is no damage: the process's own file is beside this one.
 *
 *      offset 0        struct sis_unified_header           SIS_PAGE bytes
 *      SIS_PAGE        struct sis_unified_slot             for each rank: where its part is
 *      .common         descriptions of translation units   as chunks of rank 0 have them, in a row
 *      slot.offset     part of rank 0: struct sis_unified_part, then its file
 *      ...             part of rank 1 ...                  each begins at a multiple of SIS_PAGE
 *
 * One process writes everything before the parts to a file with another name. It reads these bytes
 * back to check them, and then renames the file. Parts are in the order of the ranks. They begin at
 * pages, because a parallel file system would need locks if two processes wrote to one page.
 *
 * In a part, the payloads of the first part.common chunks with a description (SIS_CHUNK_UNIT) are
 * zeros, because they are the same as those of rank 0. For large programs, descriptions are most of
 * a profile.
 *
 * If `used` is less than `size`, the bytes are a frame of zstd. Otherwise they are not compressed:
 * the process had no zstd, or no memory for it. Each entry of the index and each part has a
 * checksum, so if one is damaged, no other rank is lost.
 */
#ifndef SIS_SCHEMA_UNIFIED_H
#define SIS_SCHEMA_UNIFIED_H

#include "profile.h"

#define SIS_UNIFIED_NAME "ranks.sis"
#define SIS_UNIFIED_MAGIC "SISU\r\n\x1a"
#define SIS_UNIFIED_VERSION 7u

struct sis_unified_common {
	uint64_t count;      /* number of descriptions */
	uint64_t used;       /* bytes in the file; they follow the index */
	uint64_t size;       /* bytes of the descriptions, decompressed */
	uint64_t checksum;   /* checksum of the bytes as they are in the file */
};

struct sis_unified_header {
	char magic[8];       /* SIS_UNIFIED_MAGIC */
	uint32_t version;    /* SIS_UNIFIED_VERSION */
	uint32_t endian;     /* SIS_PROFILE_ENDIAN as the writer stores it */
	uint64_t ranks;
	uint64_t size;       /* bytes of the file, up to the end of the last part's room */
	uint64_t id;         /* a number of this file; its parts must have the same */
	uint64_t started_ns; /* time of day when rank 0 began */
	char run_id[64];     /* as in the profiles */
	struct sis_unified_common common;
	uint64_t checksum;   /* checksum of this struct up to here */
};

struct sis_unified_slot {
	uint64_t offset;
	uint64_t bytes;      /* room for the part, with struct sis_unified_part */
	uint64_t checksum;   /* checksum of this struct up to here */
};

struct sis_unified_part {
	uint32_t magic;      /* SIS_UNIFIED_PART */
	uint32_t rank;
	uint64_t id;         /* the same as in the header */
	uint64_t used;       /* bytes that follow */
	uint64_t size;       /* bytes of the profile, decompressed */
	uint64_t common;     /* number of descriptions that are left out: 0 or the header's count */
	uint64_t checksum;   /* checksum of the bytes that follow */
};
#define SIS_UNIFIED_PART 0x54525053u /* "SPRT" */

_Static_assert(sizeof(struct sis_unified_header) <= SIS_PAGE, "the header fits its page");

#endif
