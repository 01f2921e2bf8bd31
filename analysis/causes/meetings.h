/* SPDX-License-Identifier: BSD-3-Clause */
/* meetings.h - when two processes last met, and before that. */
#ifndef SIS_ANALYSIS_MEETINGS_H
#define SIS_ANALYSIS_MEETINGS_H

#include "model/experiment.h"

struct meeting_part { uint32_t operation, process; int64_t end; };
struct meetings {
	const struct experiment *x;
	size_t *first; /* sync point of each process, and the end */
	struct meeting_part *part; /* one for each sync point, by operation and process */
};

/* Sorts the sync points by process and time. They stay as they are until the release. */
void meetings_init(struct meetings *m, struct experiment *x);
void meetings_release(struct meetings *m);

/* When each of the two went on from an operation that both took part in. */
struct meeting { int64_t victim, culprit; };

/* The meetings of the two processes of a wait, backwards from its beginning. */
struct meeting_walk { const struct meetings *m; const struct wait_state *wait; size_t next; };
struct meeting_walk meetings_before(const struct meetings *m, const struct wait_state *wait);
/* The next earlier one. False when there is none: then it is the start of both processes. */
bool meetings_next(struct meeting_walk *walk, struct meeting *meeting);

#endif
