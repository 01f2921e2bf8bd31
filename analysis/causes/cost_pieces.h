/* SPDX-License-Identifier: BSD-3-Clause */
/* cost_pieces.h - what the costs of delays are made of, with times: the parts of single waits. */
#ifndef SIS_ANALYSIS_COST_PIECES_H
#define SIS_ANALYSIS_COST_PIECES_H

#include "model/experiment.h"

/* A part of a single wait, charged to a node of the culprit: an addend of struct delay_cost. */
struct cost_piece {
	uint32_t node, victim;
	enum sis_overhead leaf;
	uint32_t culprit, culprit_node;
	int64_t enter, until;    /* of the wait */
	/* so long a wait is booked; more than until - enter if it also stands for waits that were
	 * not recorded, whose times are not known */
	int64_t booked_ns;
	int64_t ns, idle_ns;     /* of the victim; of the idle PUs of its process */
	/* later waits that it caused; of it, because of waits within the interval */
	int64_t indirect_ns, indirect_within_ns;
};

struct cost_pieces {
	int64_t from, to;        /* of the interval, as in the experiment */
	VEC(struct cost_piece) piece;
};

/* The part of a wait's amount that is within the interval, and at a known time. */
int64_t wait_part_within(const struct cost_pieces *i, const struct wait_state *w, int64_t ns);
/* Adds a piece, whose times are those of the wait. */
void cost_pieces_add(struct cost_pieces *i, const struct wait_state *w,
		     const struct cost_piece *piece);
void cost_pieces_release(struct cost_pieces *i);
/* The part of an amount of the piece, as its ns, that is between two times. */
int64_t cost_piece_part(const struct cost_piece *p, int64_t ns, int64_t from, int64_t to);

#endif
