/* SPDX-License-Identifier: BSD-3-Clause */
/* meetings.h - the meetings of two lanes: operations in which both took part. A lane is a process
 * or, for teams, a processing unit. */
#ifndef SIS_ANALYSIS_MEETINGS_H
#define SIS_ANALYSIS_MEETINGS_H

#include "experiment/model/experiment.h"

typedef VEC(struct sync_point) sync_points;
struct meeting_part { uint32_t operation, lane; int64_t moment; };
struct meetings {
	sync_points point;         /* sorted by lane and time; point.process is the lane */
	size_t *first;             /* by lane: index of its first sync point; then their number */
	struct meeting_part *part; /* one for each sync point; sorted by operation, lane */
};

/* Takes a copy of the sync points. */
void meetings_init(struct meetings *m, const struct sync_point *point, size_t n, uint32_t lanes);
void meetings_release(struct meetings *m);

/* A meeting has one moment for each of the two lanes. From this moment on, the lane had what it
 * needed from the other one. */
struct meeting { int64_t victim, culprit; };

/* The meetings of victim and culprit before a time, the last one first. */
struct meeting_walk {
	const struct meetings *m;
	uint32_t victim, culprit, comm; /* comm: the communicator of the wait */
	size_t next;
	struct meeting ahead;   /* the next meeting to return, if has_ahead */
	bool has_ahead;
};
struct meeting_walk meetings_before(const struct meetings *m, uint32_t victim, uint32_t culprit,
				    uint32_t comm, int64_t time);
/* Finds the next earlier meeting. Returns false if there is none. A meeting is skipped if the
 * culprit's moment in the meeting before it is later than in this one. This happens with a message
 * that was received long after it was sent. */
bool meetings_next(struct meeting_walk *walk, struct meeting *meeting);

#endif
