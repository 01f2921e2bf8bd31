/* SPDX-License-Identifier: BSD-3-Clause */
/* unit_pieces.h - what each processing unit did when, from a trace: pieces of time in which the
 * unit was in one node, or idle. Each piece lists the single waits that it is a part of. */
#ifndef SIS_ANALYSIS_UNIT_PIECES_H
#define SIS_ANALYSIS_UNIT_PIECES_H

#include "base/muldiv.h"
#include "experiment/causes/leaf_parts.h"

/* A wait during a piece, booked as `leaf` in `node`. Of each `all` nanoseconds of the piece
 * (unit_piece.all), `ns` belong to the wait. */
struct piece_wait {
	uint32_t node;
	enum sis_overhead leaf;
	int64_t ns;
};

/* A time in which a unit was in one state, and either in no wait or in the same waits throughout.
 * The piece's time that belongs to no wait is time of the state. Times are nanoseconds, as in the
 * experiment. */
struct unit_piece {
	enum unit_state state;
	uint32_t node;           /* of the call graph; NONE: not known */
	int64_t from, to;
	int64_t all;             /* the whole to which piece_wait.ns refers; never 0 */
	const struct piece_wait *wait;
	size_t waits;
};

/* `ns` is a part of the piece's time. Returns how much of it belongs to this wait. */
static inline int64_t piece_wait_part(const struct unit_piece *piece, size_t wait, int64_t ns)
{
	return muldiv(ns, piece->wait[wait].ns, piece->all);
}

/* The state that counts for the piece's waits. A wait is in a node, even if the state is
 * NOT_KNOWN. */
static inline enum unit_state piece_wait_state(const struct unit_piece *piece)
{
	return piece->state == IDLE ? IDLE : IN_NODE;
}

/* The functions of a reader. begin_unit is called once for each unit. The unit's pieces come in the
 * order of time, and cover the time of its process. */
struct piece_reader {
	void (*begin_unit)(void *self, uint32_t pu);
	void (*piece)(void *self, const struct unit_piece *piece);
	void (*end_unit)(void *self);
};

/* Reads the whole trace. Leaves out traces without a profile. Returns the number of these
 * traces. */
uint64_t unit_pieces_read(const struct single_waits *waits, const struct timelines *timelines,
			  const struct leaf_shares *shares, struct traces *traces,
			  const struct piece_reader *reader, void *self);

/* Reads in which nodes a process's initial thread was from `from` to `to`. Gives these times as
 * pieces in state IDLE. A piece has all waits of the initial thread, because it differs from unit
 * to unit which of these waits count. */
void idle_pieces_read(const struct single_waits *waits, const struct timelines *timelines,
		      uint32_t process, int64_t from, int64_t to,
		      const struct piece_reader *reader, void *self);

#endif
