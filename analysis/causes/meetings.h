/* SPDX-License-Identifier: BSD-3-Clause */
/* meetings.h - the meetings of two processes, or two threads of a team: operations that both took
 * part in. A lane is what takes part: a process, or a processing unit. */
#ifndef SIS_ANALYSIS_MEETINGS_H
#define SIS_ANALYSIS_MEETINGS_H

#include "model/experiment.h"

typedef VEC(struct sync_point) sync_points;
struct meeting_part { uint32_t operation, lane; int64_t moment; };
struct meetings {
	sync_points point;         /* by lane and time; process: the lane */
	size_t *first;             /* sync point of each lane, and the end */
	struct meeting_part *part; /* one for each sync point, by operation and lane */
};

/* Takes a copy of the sync points. */
void meetings_init(struct meetings *m, const struct sync_point *point, size_t n, uint32_t lanes);
void meetings_release(struct meetings *m);

/* The moments of a meeting: each lane had then what it needed of the other. */
struct meeting { int64_t victim, culprit; };

/* The meetings of victim and culprit before a time, the last one first. */
struct meeting_walk {
	const struct meetings *m;
	uint32_t victim, culprit, comm; /* comm: the communicator of the wait */
	size_t next;
	struct meeting ahead;   /* the meeting after the last one that was returned ... */
	bool has_ahead;         /* ... if it has been looked for and found */
};
struct meeting_walk meetings_before(const struct meetings *m, uint32_t victim, uint32_t culprit,
				    uint32_t comm, int64_t time);
/* The next earlier meeting of both; false: there is none. A meeting is passed over if the culprit
 * was in the meeting before it at a later time. This happens with a message that was received long
 * after it was sent. */
bool meetings_next(struct meeting_walk *walk, struct meeting *meeting);

#endif
