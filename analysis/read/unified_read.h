/* SPDX-License-Identifier: BSD-3-Clause */
/* unified_read.h - the file of all ranks (schema/unified.h): its head, and a profile for each
 * rank. */
#ifndef SIS_ANALYSIS_UNIFIED_READ_H
#define SIS_ANALYSIS_UNIFIED_READ_H

#include "base/byte_reader.h"
#include "read/profile_read.h"
#include "unified.h"

struct unified_tu { const char *json; size_t length; uint64_t first; uint32_t count; };
struct unified_path { uint32_t parent; uint64_t region; };

struct unified {
	char *path;
	int fd;
	struct sis_unified_header head;
	/* the definitions, which profiles of this file point to */
	unsigned char *bytes;
	VEC(struct sis_unified_slot) slot;
	VEC(struct unified_tu) tu;
	VEC(struct unified_path) node; /* [0] is the root */
	VEC(struct profile_text) line;
	struct sis_profile_header reference;
};

/* Reads the head. On failure there is nothing to close. */
int unified_open(struct unified *u, const char *path, struct err *err);
/* Reads the profile of a rank and returns 1; 0: its process has written none into this file. */
int unified_profile(const struct unified *u, uint32_t rank, struct profile *p, struct err *err);
/* Makes a profile of a part in memory. On failure it needs no release. */
int unified_parse(const struct unified *u, uint32_t rank, const unsigned char *bytes, size_t size,
		  struct profile *p, struct err *err);
/* The records of a part that is being read. */
int unified_records(struct byte_reader *in, struct profile *p, struct err *err);
/* The index of a "node + 1"; NONE for 0. */
static inline uint32_t unified_node(const struct profile *p, uint64_t n)
{
	return n && n <= p->node.n ? (uint32_t)(n - 1) : NONE;
}
/* Checks the definitions and stores them in `u`, which owns the bytes from then on. */
int unified_define(struct unified *u, unsigned char *bytes, size_t size, struct err *err);
void unified_close(struct unified *u);

#endif
