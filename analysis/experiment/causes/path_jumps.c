/* SPDX-License-Identifier: BSD-3-Clause */
/* path_jumps.c - finds the moments at which the critical path goes from one processing unit to
 * another. Makes and frees struct path_jumps. Called by one thread.
 *
 * The path, which is followed backwards, jumps from a unit to the culprit at the end of a wait. It
 * also jumps where a unit begins: from a member of a team to the thread that forked the team, and
 * from another thread to the initial thread. In a process without a trace, only waits for other
 * processes and for the end of threads are known, and the initial thread stands for all threads. */
#include "experiment/causes/path_jumps.h"

#include <stdlib.h>

#include "base/sort.h"

static uint32_t unit_on_path(const struct timelines *t, uint32_t process, uint32_t slot)
{
	const struct process *p = &t->x->model.process.at[process];
	return p->first_pu + (timelines_whole(t, process) && slot < p->slots ? slot : 0);
}

static void add_jump(struct path_jumps *j, uint32_t unit, uint32_t other, int64_t time)
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
		add_jump(j, unit_on_path(t, b->process, b->slot),
			 unit_on_path(t, b->culprit, b->culprit_slot), b->until);
	}
	for (size_t i = 0; i < threads->wait.n; i++) {
		const struct wait_state *w = &threads->wait.at[i];
		if (!w->shares)
			add_jump(j, unit_on_path(t, w->process, w->slot),
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
			add_jump(j, unit_on_path(t, process, part->slot),
				 unit_on_path(t, process, p->part.at[part->team].slot),
				 part->enter);
	}
	for (size_t i = 0; i < profile->life.n; i++) {
		const struct profile_life *life = &profile->life.at[i];
		if (!life->blocked && life->slot < p->process->slots)
			add_jump(j, p->process->first_pu + life->slot, p->process->first_pu,
				 clock_ns(&p->process->clock, life->enter));
	}
}

/* By PU. awaited: whether the initial thread of its process waited for the end of the PU's thread.
 * lives: how many lives the PU has. */
struct ends { bool *awaited; uint32_t *lives; };

static struct ends find_ends(const struct experiment *x)
{
	const struct experiment_causes *c = &x->causes;
	struct ends e = { mem_alloc(x->model.pu.n + 1, sizeof *e.awaited),
			  mem_alloc(x->model.pu.n + 1, sizeof *e.lives) };
	for (size_t i = 0; i < c->wait_pair.n; i++) {
		const struct wait_pair *pair = &c->wait_pair.at[i];
		const struct delay_cost *cost = &c->delay_cost.at[pair->cost];
		if (cost->leaf == OSYNC_PTJOIN && pair->victim != NONE && cost->culprit != NONE &&
		    x->model.pu.at[pair->victim].slot == 0)
			e.awaited[cost->culprit] = true;
	}
	for (size_t i = 0; i < x->model.process.n; i++) {
		const struct process *p = &x->model.process.at[i];
		for (size_t k = 0; k < p->profile.life.n; k++)
			if (p->profile.life.at[k].slot < p->slots)
				e.lives[p->first_pu + p->profile.life.at[k].slot]++;
	}
	return e;
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
	struct ends ends = find_ends(x);
	for (uint32_t i = 0; i < x->model.process.n; i++) {
		const struct process *p = &x->model.process.at[i];
		bool traced = timelines_whole(threads->timelines, i);
		add_begins(j, threads->timelines, i);
		/* if a PU has several lives, it is not known for which ends the initial thread
		 * waited */
		for (size_t k = 0; !traced && k < p->profile.life.n; k++) {
			const struct profile_life *life = &p->profile.life.at[k];
			uint32_t unit = p->first_pu + life->slot;
			if (life->slot < p->slots && ends.awaited[unit] && ends.lives[unit] == 1)
				add_jump(j, p->first_pu, unit, clock_ns(&p->clock, life->exit));
		}
	}
	free(ends.awaited), free(ends.lives);
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
