/* SPDX-License-Identifier: BSD-3-Clause */
/* unit_pieces.h - what each processing unit did when, out of a trace: pieces of time in which it
 * was in one node, or idle, and the single waits that each is a part of. */
#ifndef SIS_ANALYSIS_UNIT_PIECES_H
#define SIS_ANALYSIS_UNIT_PIECES_H

#include "base/muldiv.h"
#include "causes/leaf_parts.h"

/* A part of the piece's time is a wait, for which `node` and `leaf` are charged: `ns` of each
 * `all` nanoseconds of the piece. */
struct piece_wait {
	uint32_t node;
	enum sis_overhead leaf;
	int64_t ns;
};

/* A time in which a unit was in one state, and in a single wait or in none. The rest of it, without
 * its waits, is time of the state. Times are those of the experiment. */
struct unit_piece {
	enum unit_state state;
	uint32_t node;           /* of the call graph; NONE: not known */
	int64_t from, to;
	int64_t all;             /* is not 0 */
	const struct piece_wait *wait;
	size_t waits;
};

/* The part `ns` of a piece's time, as far as it is this wait. */
static inline int64_t piece_wait_part(const struct unit_piece *piece, size_t wait, int64_t ns)
{
	return muldiv(ns, piece->wait[wait].ns, piece->all);
}

/* What the unit did while it waited: it was in a node, known or not, or it was idle. */
static inline enum unit_state piece_wait_state(const struct unit_piece *piece)
{
	return piece->state == IDLE ? IDLE : IN_NODE;
}

/* The functions of a reader. Each unit begins once; its pieces come in order, and together they are
 * the time of its process. */
struct piece_reader {
	void (*begin_unit)(void *self, uint32_t pu);
	void (*piece)(void *self, const struct unit_piece *piece);
	void (*end_unit)(void *self);
};

/* Reads the whole trace. Returns the number of traces without a profile, which are left out. */
uint64_t unit_pieces_read(const struct single_waits *waits, const struct timelines *timelines,
			  const struct leaf_shares *shares, struct traces *traces,
			  const struct piece_reader *reader, void *self);

/* Where a process's initial thread was from `from` to `to`, as pieces of idle units (IDLE), with
 * all of its waits: which of them count differs from unit to unit. */
void idle_pieces_read(const struct single_waits *waits, const struct timelines *timelines,
		      uint32_t process, int64_t from, int64_t to,
		      const struct piece_reader *reader, void *self);

#endif
