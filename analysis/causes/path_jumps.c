/* SPDX-License-Identifier: BSD-3-Clause */
/* path_jumps.c - where the critical path goes from one processing unit to another. Owns the list;
 * one thread.
 *
 * A unit goes on because of another one at the end of a wait, and where it begins: a member of a
 * team because of the thread that forked it, another thread because of the initial one. In a
 * process without a trace, only waits for other processes are known, and its initial thread stands
 * for all. */
#include "causes/path_jumps.h"

#include <stdlib.h>

#include "base/sort.h"

static uint32_t unit_on_path(const struct timelines *t, uint32_t process, uint32_t slot)
{
	const struct process *p = &t->x->model.process.at[process];
	return p->first_pu + (timelines_whole(t, process) && slot < p->slots ? slot : 0);
}

static void add(struct path_jumps *j, uint32_t unit, uint32_t other, int64_t time)
{
	if (unit != other)
		*vec_push(&j->jump) = (struct path_jump){ unit, other, time };
}

static void add_waits(struct path_jumps *j, const struct experiment *x,
		      const struct thread_waits *threads)
{
	const struct timelines *t = threads->timelines;
	for (size_t i = 0; i < x->match.blocked.n; i++) {
		const struct blocked_interval *b = &x->match.blocked.at[i];
		add(j, unit_on_path(t, b->process, b->slot),
		    unit_on_path(t, b->culprit, b->culprit_slot), b->until);
	}
	for (size_t i = 0; i < threads->wait.n; i++) {
		const struct wait_state *w = &threads->wait.at[i];
		if (!w->shares)
			add(j, unit_on_path(t, w->process, w->slot),
			    unit_on_path(t, w->culprit, w->culprit_slot), w->until);
	}
}

static void add_begins(struct path_jumps *j, const struct timelines *t, uint32_t process)
{
	const struct process_timelines *p = &t->process[process];
	const struct profile *profile = &p->process->profile;
	for (size_t i = 0; i < p->part.n; i++) {
		const struct team_part *part = &p->part.at[i];
		if (part->team != NONE)
			add(j, unit_on_path(t, process, part->slot),
			    unit_on_path(t, process, p->part.at[part->team].slot), part->enter);
	}
	for (size_t i = 0; i < profile->life.n; i++) {
		const struct profile_life *life = &profile->life.at[i];
		if (!life->blocked)
			add(j, unit_on_path(t, process, life->slot), unit_on_path(t, process, 0),
			    clock_ns(&p->process->clock, life->enter));
	}
}

static int by_unit_and_time(const void *va, const void *vb)
{
	const struct path_jump *a = va, *b = vb;
	return ORDER(a->unit, b->unit) ?: ORDER(a->time, b->time) ?: ORDER(a->other, b->other);
}

void path_jumps_init(struct path_jumps *j, const struct experiment *x,
		     const struct thread_waits *threads)
{
	size_t next = 0;
	*j = (struct path_jumps){ .first = mem_alloc(x->model.pu.n + 1, sizeof *j->first) };
	add_waits(j, x, threads);
	for (uint32_t i = 0; i < x->model.process.n; i++)
		if (timelines_whole(threads->timelines, i))
			add_begins(j, threads->timelines, i);
	vec_sort(&j->jump, by_unit_and_time);
	for (uint32_t i = 0; i <= x->model.pu.n; i++) {
		while (next < j->jump.n && j->jump.at[next].unit < i)
			next++;
		j->first[i] = next;
	}
}

void path_jumps_release(struct path_jumps *j)
{
	vec_free(&j->jump);
	free(j->first);
}

const struct path_jump *path_jumps_before(const struct path_jumps *j, uint32_t unit, int64_t time)
{
	size_t first = j->first[unit];
	size_t after = search_first(i, first, j->first[unit + 1], j->jump.at[i].time < time);
	return after > first ? &j->jump.at[after - 1] : NULL;
}
