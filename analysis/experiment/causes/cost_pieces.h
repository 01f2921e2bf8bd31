/* SPDX-License-Identifier: BSD-3-Clause */
/* cost_pieces.h - the parts of single waits that make up the costs of delays, with their times. */
#ifndef SIS_ANALYSIS_COST_PIECES_H
#define SIS_ANALYSIS_COST_PIECES_H

#include "experiment/model/experiment.h"

/* A part of a single wait, charged to a node of the culprit: an addend of struct delay_cost. */
struct cost_piece {
	uint32_t node, victim;
	enum sis_overhead leaf;
	uint32_t culprit, culprit_node;
	int64_t enter, until;    /* begin and end of the wait */
	/* the time that is booked for the wait. It is more than until - enter if the wait also
	 * stands for waits that were not recorded, whose times are not known. */
	int64_t booked_ns;
	int64_t ns, idle_ns;     /* time lost by the victim; by idle PUs of its process */
	/* indirect_ns: later waits that the piece caused; indirect_within_ns: the part of these
	 * that is due to waits within the interval */
	int64_t indirect_ns, indirect_within_ns;
};

struct cost_pieces {
	int64_t from, to;        /* begin and end of the interval */
	VEC(struct cost_piece) piece;
};

/* The part of `ns` that is within the interval. `ns` is an amount of the wait. If more is booked
 * than the wait lasted, the excess has no known time and counts as outside. */
int64_t wait_part_within(const struct cost_pieces *i, const struct wait_state *w, int64_t ns);
/* Adds a piece of the wait. The piece's enter, until and booked_ns are copied from the wait. */
void cost_pieces_add(struct cost_pieces *i, const struct wait_state *w,
		     const struct cost_piece *piece);
void cost_pieces_release(struct cost_pieces *i);
/* The part of `ns` that is between two times. `ns` is an amount of the piece, such as p->ns. */
int64_t cost_piece_part(const struct cost_piece *p, int64_t ns, int64_t from, int64_t to);

#endif
