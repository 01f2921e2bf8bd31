/* SPDX-License-Identifier: BSD-3-Clause */
/* profile_v2.h - profiles of versions 1 and 2: their nodes have an origin, their records are whole
 * or of 16 bytes. */
#ifndef SIS_ANALYSIS_PROFILE_V2_H
#define SIS_ANALYSIS_PROFILE_V2_H

#include "record.h"

#define PROFILE_IS_OLD(head) ((head)->version < 3)
#define PROFILE_HAS_RUNGS(head) ((head)->version > 4)
/* struct sis_node without an estimate, of versions 3 and 4 */
enum { TIMED_NODE_BYTES = offsetof(struct sis_node, estimate) };

/* struct sis_node as far as its `values`; then */
enum {
	OLD_NODE_ORIGIN = offsetof(struct sis_node, values) + 8,
	OLD_NODE_BYTES = OLD_NODE_ORIGIN + 16
};

struct old_short_record {
	/* bit 63: 1; bits 62-55: place; bits 54-0: enter less the exit before, two's complement */
	uint64_t head;
	uint32_t duration;
	int32_t serial;    /* less that of the last one of its place */
};

struct old_record {
	uint64_t enter, exit, node, bytes, serial;
	uint32_t comm;
	int32_t peer, tag;
	uint16_t kind, flags;
	uint64_t place; /* + 1; 0 none */
};

struct old_record_pack { /* what a chunk has said so far; all zeros at its beginning */
	uint64_t exit;
	struct sis_record_shape shape[SIS_RECORD_SHAPES];
};

#define OLD_GAP_BITS 55

/* As sis_record_unpack. */
unsigned old_record_unpack(struct old_record_pack *pack, const void *in, uint64_t room,
			   struct sis_record *r);

#endif
