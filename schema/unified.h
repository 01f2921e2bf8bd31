/* SPDX-License-Identifier: BSD-3-Clause */
/* unified.h - the profiles of all ranks of a run in one file, ranks.sis, byte by byte.
 *
 * In MPI_Finalize the ranks merge what they have in common, descriptions of translation units and
 * paths of the call graph, and agree where each part will be. Each process writes its part at its
 * end, when nothing can be added any more, and then removes its own file (profile.h). Until then
 * that file is the valid one. So a missing part (all zeros) is not damage: the process's own file
 * is beside this one.
 *
 *      offset 0        struct sis_unified_header           SIS_PAGE bytes
 *      SIS_PAGE        struct sis_unified_slot             for each rank: where its part is
 *      .definitions    what ranks have in common           numbers and bytes, below
 *      slot.offset     part of rank 0: struct sis_unified_part, then numbers and bytes
 *      ...             part of rank 1 ...                  each begins at a multiple of SIS_PAGE
 *
 * One process writes the header, the index and the definitions, under another name; it renames the
 * file when they have been read back. Parts begin at pages, so that no two processes write to the
 * same page, for which a parallel file system would need locks.
 *
 * Numbers ("n") are in base 128, low groups first; the top bit of a byte says that another one
 * follows. Signed ones ("z") are numbered 0, -1, 1, -2, ... Text and structs are written as they
 * are. "Node + 1" is 0 for none.
 *
 * Definitions
 *      n units; of each: n number of its regions, n length, its description (JSON)
 *      n nodes; of each: n its number less that of its parent, n region. They are numbered from 1;
 *      node 0 is the root, RT_RUN.
 *          region: 2 x the id of a built-in one; 2 x k + 1: the k-th region of all units
 *      n length, a header of profile.h: parts have the differences of theirs
 *      n lines; of each: n length, `kind<TAB>text`
 *
 * Part: the content of a profile, in its order; columns over the nodes of all its threads
 *      header      pairs n, n + bytes: so many bytes as in the definitions' header, so many bytes
 *                  of its own; 0, 0 ends them
 *      units       n; of each: n first id, n which of the definitions'
 *      nodes       n that the definitions lack; of each: n its parent, n region. Their numbers
 *                  follow those of the definitions
 *                  n chunks; of each: n slot, n nodes
 *                  path      runs: z first path less the expected one (the last one + 1), n nodes
 *                            of the run less 1
 *                  parent    n exceptions; of each: n nodes since the last one, n node + 1. For
 *                            all other nodes it is the last node before, of any slot, whose path is
 *                            the parent of this node's path
 *                  origin    n; of each: n nodes since the last one, n node + 1
 *                  calls, total   n, n of each
 *                  extremes  n of each: 0 both are the total; 1 no activation ended; 2 n minimum, n
 *                            maximum less minimum; 3 n minimum, n maximum
 *      values      n; of each: n nodes since the last one, n set, n count, count x n sum
 *      folds       n with SIS_NODE_FOLDS; of each: n nodes since the last one (from version 3)
 *      user values n; of each: n node + 1, n id, n count, 3 doubles: sum, min, max
 *      culprits    n; of each: n slot that waited, n node + 1 where it waited, n node + 1 where the
 *                  culprit was, n slot of the culprit, n flags, n count, n ticks (not in version 1)
 *      estimates   n; of each: n node + 1, n timed, 2 doubles: ticks, their squares; n samples,
 *                  n sampled, 1 double: its squares; n rungs, 2 n below, n since, n rung
 *                  (from version 4)
 *      switched    n; of each: n what, n cause, n id, n count, n first, n last, n on, n ticks (from
 *                  version 5)
 *      unscheduled n; of each: n slot, n node + 1, n flags, n count, n preempted ns, n blocked ns,
 *                  n lost (from version 6)
 *      threads     n; of each: n slot, tid, root + 1, current + 1, stamp, mismatched, unwound,
 *                  dropped nodes, dropped records, probes
 *      records     n chunks; of each: n slot, n records in it, of each n form:
 *                  0      whole: struct sis_record, in which the node is node + 1
 *                  1      the same, of a phase; then of each of its entries: z node + 1 less that
 *                         of the entry before, n ticks
 *                  2      packed (record.h), of the place that is due: z gap, n duration
 *                  3      n place, z gap, n duration
 *                  4      n place, z gap, n duration, z serial
 *                  (of a profile of version 2: 2 + p of place p: z gap, n duration, z serial)
 *      sensors     n; struct sis_sensor_sample of each
 *      communicators  n; of each: n id, size, rank, leader, number, 1 world, 1 inter, parent,
 *                     length of the name, the name;
 *                  unless it is the world, all of its members in runs: z first less the last of the
 *                  run before, n how many, z step
 *      texts       n; runs: n line of the definitions + 1, n lines that follow each other less 1;
 *                  or 0, n length, a line
 *
 * The `start` of nodes is not kept: nothing is open in a process that has ended.
 *
 * Version history: 1 - first. 2 - culprits. 3 - nodes that fold. 4 - estimates.
 * 5 - what was switched off. 6 - times unscheduled.
 */
#ifndef SIS_SCHEMA_UNIFIED_H
#define SIS_SCHEMA_UNIFIED_H

#include <stdbool.h>

#include "profile.h"

#define SIS_UNIFIED_NAME "ranks.sis"
#define SIS_UNIFIED_MAGIC "SISU\r\n\x1a"
#define SIS_UNIFIED_VERSION 6u

struct sis_unified_header {
	char magic[8];       /* SIS_UNIFIED_MAGIC */
	uint32_t version;    /* SIS_UNIFIED_VERSION */
	uint32_t endian;     /* SIS_PROFILE_ENDIAN as the writer stores it */
	uint32_t profile_version; /* SIS_PROFILE_VERSION: of records and structs in the parts */
	uint32_t ranks;
	uint64_t definitions, definitions_bytes; /* offset, length */
	uint64_t size;       /* to the end of the last part */
	uint64_t id;         /* of this file: parts must have the same */
	uint64_t started_ns; /* time of day when rank 0 began */
	char run_id[64];     /* as in the profiles */
	uint64_t checksums[2]; /* of the index, of the definitions */
	uint64_t checksum;   /* of this struct up to here */
};

struct sis_unified_slot { uint64_t offset, bytes; }; /* bytes: room, the struct below included */

struct sis_unified_part {
	uint32_t magic;      /* SIS_UNIFIED_PART */
	uint32_t rank;
	uint64_t id;         /* the header's */
	uint64_t used;       /* bytes that follow */
	uint64_t checksum;   /* of them */
};
#define SIS_UNIFIED_PART 0x54525053u /* "SPRT" */

_Static_assert(sizeof(struct sis_unified_header) <= SIS_PAGE, "the header fits its page");

enum { SIS_NUMBER_MOST = 10 }; /* bytes of a number */

static inline unsigned sis_number_put(unsigned char *out, uint64_t number)
{
	unsigned n = 0;
	for (; number > 127; number >>= 7)
		out[n++] = (unsigned char)(number | 128);
	out[n++] = (unsigned char)number;
	return n;
}

/* Reads a number. Returns its bytes; 0: it is not complete within `room`, or too large. */
static inline unsigned sis_number_get(const unsigned char *in, uint64_t room, uint64_t *number)
{
	*number = 0;
	for (unsigned n = 0; n < room && n < SIS_NUMBER_MOST; n++) {
		*number |= (uint64_t)(in[n] & 127) << 7 * n;
		if (!(in[n] & 128))
			return n == SIS_NUMBER_MOST - 1 && in[n] > 1 ? 0 : n + 1;
	}
	return 0;
}

static inline uint64_t sis_zigzag(int64_t number)
{
	return (uint64_t)number << 1 ^ (uint64_t)(number >> 63);
}
static inline int64_t sis_zigzag_back(uint64_t number)
{
	return (int64_t)(number >> 1 ^ -(number & 1));
}

#endif
