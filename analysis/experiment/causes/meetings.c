/* SPDX-License-Identifier: BSD-3-Clause */
/* meetings.c - finds the meetings of two lanes. Owns its tables; called by one thread.
 *
 * The sync points of a lane are in the order of their times. A walk goes backwards through the sync
 * points of the victim. The culprit's part in the same operation is found by the operation's
 * number. */
#include "experiment/causes/meetings.h"

#include <stdlib.h>

#include "base/sort.h"

/* A search skips at most this number of the victim's sync points in which the culprit took no part.
 * Then the next sync point is returned as the meeting. The reason: by then most programs have
 * repeated what they do, and still earlier times are less similar to the time before the wait. */
enum { MOST = 1000 };

static int by_lane_and_moment(const void *va, const void *vb)
{
	const struct sync_point *a = va, *b = vb;
	return ORDER(a->process, b->process) ?: ORDER(a->moment, b->moment);
}

static int by_operation_and_lane(const void *va, const void *vb)
{
	const struct meeting_part *a = va, *b = vb;
	return ORDER(a->operation, b->operation) ?: ORDER(a->lane, b->lane);
}

void meetings_init(struct meetings *m, const struct sync_point *point, size_t n, uint32_t lanes)
{
	size_t next = 0;
	*m = (struct meetings){ .part = mem_alloc(n + 1, sizeof *m->part) };
	for (size_t i = 0; i < n; i++)
		*vec_push(&m->point) = point[i];
	vec_sort(&m->point, by_lane_and_moment);
	for (size_t i = 0; i < n; i++)
		m->part[i] = (struct meeting_part){ m->point.at[i].operation,
						    m->point.at[i].process, m->point.at[i].moment };
	qsort(m->part, n, sizeof *m->part, by_operation_and_lane);
	m->first = mem_alloc(lanes + (size_t)1, sizeof *m->first);
	for (uint32_t i = 0; i <= lanes; i++) {
		while (next < n && m->point.at[next].process < i)
			next++;
		m->first[i] = next;
	}
}

void meetings_release(struct meetings *m)
{
	vec_free(&m->point);
	free(m->first), free(m->part);
}

/* -- the walk over meetings -------------------------------------------------------------------- */

/* Finds the next earlier operation in which both lanes took part. */
static bool step(struct meeting_walk *walk, struct meeting *meeting)
{
	const struct meetings *m = walk->m;
	const struct sync_point *at = m->point.at + m->first[walk->victim];
	for (size_t steps = 0; walk->next > 0; steps++) {
		const struct sync_point *s = &at[--walk->next];
		const struct meeting_part key = { .operation = s->operation,
						  .lane = walk->culprit };
		bool may_be_common = s->other == walk->culprit ||
			(s->other == NONE && (s->comm == 0 || s->comm == walk->comm));
		const struct meeting_part *other = may_be_common ?
			bsearch(&key, m->part, m->point.n, sizeof key, by_operation_and_lane) :
			NULL;
		if (!other && steps < MOST)
			continue;
		*meeting = (struct meeting){ s->moment, other ? other->moment : s->moment };
		return true;
	}
	return false;
}

struct meeting_walk meetings_before(const struct meetings *m, uint32_t victim, uint32_t culprit,
				    uint32_t comm, int64_t time)
{
	size_t first = m->first[victim];
	struct meeting_walk walk = { .m = m, .victim = victim, .culprit = culprit, .comm = comm };
	walk.next = search_first(i, first, m->first[victim + 1], m->point.at[i].moment <= time) -
		first;
	walk.has_ahead = step(&walk, &walk.ahead);
	return walk;
}

bool meetings_next(struct meeting_walk *walk, struct meeting *meeting)
{
	if (!walk->has_ahead)
		return false;
	do {
		*meeting = walk->ahead;
		walk->has_ahead = step(walk, &walk->ahead);
	} while (walk->has_ahead && walk->ahead.culprit > meeting->culprit);
	return true;
}
