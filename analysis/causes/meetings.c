/* SPDX-License-Identifier: BSD-3-Clause */
/* meetings.c - see meetings.h. Owns its tables; one thread.
 *
 * The sync points of a lane are in the order of their times, so a walk goes backwards through
 * those of the victim. The culprit's part in the same operation is found by its number. */
#include "causes/meetings.h"

#include <stdlib.h>

#include "base/sort.h"

/* A search looks at so many sync points of the victim. If none of them is common, the last one is
 * taken for a meeting: programs repeat themselves, and times further back are less similar. */
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

static void find_first(struct meetings *m, uint32_t lanes)
{
	size_t next = 0;
	m->first = mem_alloc(lanes + (size_t)1, sizeof *m->first);
	for (uint32_t i = 0; i <= lanes; i++) {
		while (next < m->point.n && m->point.at[next].process < i)
			next++;
		m->first[i] = next;
	}
}

void meetings_init(struct meetings *m, const struct sync_point *point, size_t n, uint32_t lanes)
{
	*m = (struct meetings){ .part = mem_alloc(n + 1, sizeof *m->part) };
	for (size_t i = 0; i < n; i++)
		*vec_push(&m->point) = point[i];
	vec_sort(&m->point, by_lane_and_moment);
	for (size_t i = 0; i < n; i++)
		m->part[i] = (struct meeting_part){ m->point.at[i].operation,
						    m->point.at[i].process, m->point.at[i].moment };
	qsort(m->part, n, sizeof *m->part, by_operation_and_lane);
	find_first(m, lanes);
}

void meetings_release(struct meetings *m)
{
	vec_free(&m->point);
	free(m->first), free(m->part);
}

static const struct meeting_part *find_part(const struct meetings *m, uint32_t operation,
					    uint32_t lane)
{
	const struct meeting_part key = { .operation = operation, .lane = lane };
	return bsearch(&key, m->part, m->point.n, sizeof key, by_operation_and_lane);
}

/* -- the walk ---------------------------------------------------------------------------------- */

/* The number of the lane's sync points until `time`. */
static size_t last_until(const struct meetings *m, uint32_t lane, int64_t time)
{
	size_t first = m->first[lane];
	return search_first(i, first, m->first[lane + 1], m->point.at[i].moment <= time) - first;
}

static bool may_be_common(const struct sync_point *s, const struct meeting_walk *walk)
{
	return s->other == walk->culprit ||
		(s->other == NONE && (s->comm == 0 || s->comm == walk->comm));
}

/* The next earlier operation of both. */
static bool step(struct meeting_walk *walk, struct meeting *meeting)
{
	const struct meetings *m = walk->m;
	const struct sync_point *at = m->point.at + m->first[walk->victim];
	for (size_t steps = 0; walk->next > 0; steps++) {
		const struct sync_point *s = &at[--walk->next];
		const struct meeting_part *other = may_be_common(s, walk) ?
			find_part(m, s->operation, walk->culprit) :
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
	struct meeting_walk walk = { .m = m, .victim = victim, .culprit = culprit, .comm = comm,
				     .next = last_until(m, victim, time) };
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
