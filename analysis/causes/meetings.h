/* SPDX-License-Identifier: BSD-3-Clause */
/* meetings.h - the meetings of two processes: operations that both took part in. */
#ifndef SIS_ANALYSIS_MEETINGS_H
#define SIS_ANALYSIS_MEETINGS_H

#include "model/experiment.h"

struct meeting_part { uint32_t operation, process; int64_t end; };
struct meetings {
	const struct experiment *x;
	size_t *first; /* sync point of each process, and the end */
	struct meeting_part *part; /* one for each sync point, by operation and process */
};

void meetings_init(struct meetings *m, const struct experiment *x);
void meetings_release(struct meetings *m);

/* When each of the two processes went on from a meeting. */
struct meeting { int64_t victim, culprit; };

/* The meetings of victim and culprit before a wait, the last one first. */
struct meeting_walk { const struct meetings *m; const struct wait_state *wait; size_t next; };
struct meeting_walk meetings_before(const struct meetings *m, const struct wait_state *wait);
/* The next earlier meeting. False if there is none; then `meeting` is the start of both. */
bool meetings_next(struct meeting_walk *walk, struct meeting *meeting);

#endif
