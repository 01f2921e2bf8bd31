/* SPDX-License-Identifier: BSD-3-Clause */
/* meetings.c - see meetings.h. Owns its tables; one thread.
 *
 * The sync points of a process are in the order of their times, so a walk goes backwards through
 * those of the victim. The culprit's part in the same operation is found by its number. */
#include "causes/meetings.h"

#include <stdlib.h>

#include "base/sort.h"

/* A search looks at so many sync points of the victim. If none of them is common, the last one is
 * taken for a meeting: programs repeat themselves, and times further back are less similar. */
enum { MOST = 1000 };

static int by_operation_and_process(const void *va, const void *vb)
{
	const struct meeting_part *a = va, *b = vb;
	return ORDER(a->operation, b->operation) ?: ORDER(a->process, b->process);
}

static void find_first(struct meetings *m)
{
	const struct sync_point *at = m->x->match.sync_point.at;
	size_t next = 0;
	for (uint32_t i = 0; i <= m->x->model.process.n; i++) {
		while (next < m->x->match.sync_point.n && at[next].process < i)
			next++;
		m->first[i] = next;
	}
}

void meetings_init(struct meetings *m, const struct experiment *x)
{
	const struct sync_point *at = x->match.sync_point.at;
	size_t n = x->match.sync_point.n;
	*m = (struct meetings){ .x = x };
	m->first = mem_alloc(x->model.process.n + 1, sizeof *m->first);
	m->part = mem_alloc(n + 1, sizeof *m->part);
	for (size_t i = 0; i < n; i++)
		m->part[i] = (struct meeting_part){ at[i].operation, at[i].process, at[i].end };
	qsort(m->part, n, sizeof *m->part, by_operation_and_process);
	find_first(m);
}

void meetings_release(struct meetings *m)
{
	free(m->first), free(m->part);
}

static const struct meeting_part *find_part(const struct meetings *m, uint32_t operation,
					    uint32_t process)
{
	const struct meeting_part key = { .operation = operation, .process = process };
	return bsearch(&key, m->part, m->x->match.sync_point.n, sizeof key,
		       by_operation_and_process);
}

/* -- the walk ---------------------------------------------------------------------------------- */

/* The number of the process's sync points that were over at `time`. */
static size_t last_until(const struct meetings *m, uint32_t process, int64_t time)
{
	const struct sync_point *at = m->x->match.sync_point.at;
	size_t first = m->first[process];
	return search_first(i, first, m->first[process + 1], at[i].end <= time) - first;
}

struct meeting_walk meetings_before(const struct meetings *m, const struct wait_state *wait)
{
	return (struct meeting_walk){ m, wait, last_until(m, wait->process, wait->enter) };
}

static bool may_be_common(const struct sync_point *s, const struct wait_state *wait)
{
	return s->other == wait->culprit ||
		(s->other == NONE && (s->comm == 0 || s->comm == wait->comm));
}

bool meetings_next(struct meeting_walk *walk, struct meeting *meeting)
{
	const struct meetings *m = walk->m;
	const struct wait_state *wait = walk->wait;
	const struct sync_point *at = m->x->match.sync_point.at + m->first[wait->process];
	for (size_t steps = 0; walk->next > 0; steps++) {
		const struct sync_point *s = &at[--walk->next];
		const struct meeting_part *other = may_be_common(s, wait) ?
			find_part(m, s->operation, wait->culprit) :
			NULL;
		if (!other && steps < MOST)
			continue;
		*meeting = (struct meeting){ s->end, other ? other->end : s->end };
		return true;
	}
	meeting->victim = m->x->model.process.at[wait->process].start_ns;
	meeting->culprit = m->x->model.process.at[wait->culprit].start_ns;
	return false;
}
