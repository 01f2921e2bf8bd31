/* SPDX-License-Identifier: BSD-3-Clause */
/* idle_threads.c - finds which PUs worked while another PU had no thread. This is for PUs that the
 * program's own threads fill one after the other. Called by one thread; struct idle_threads belongs
 * to the caller.
 *
 * The runtime records the life of each thread that ended, and each long wait of one thread for
 * another thread. So it is known at every moment which threads existed and did not wait:
 *
 *      PU 0   |== work ==|~~~~~~~~~~~ join ~~~~~~~~~~~|
 *      PU 1              |========== work ============|
 *      PU 2              |==== work ====|               idle: at first while 0 works alone, at
 *                                                       last while 1 does
 *      PU 3              |=== work ==|                  the same, and between while 1 and 2 work
 *
 * The initial thread lives as long as the process, unless it ended by pthread_exit.
 *
 * While no thread works, all threads are assumed to wait for the same as the initial thread. If a
 * PU entered a region only once, it is known when the PU was in the region.
 *
 * LIMIT: the life of a thread begins with the first region that it enters. Some waits count as
 * work: waits of less than 1 ms for anything but a thread's end, waits that are no region, and all
 * waits in programs with libsis.a. Members of teams are ignored, because no lives and waits are
 * recorded for them. */
#include "base/sort.h"
#include "experiment/classify/idle.h"

#include <stdlib.h>

enum { SHORTEST_NS = 1000000 }; /* a node with a shorter time is no top */

static void add_moment(struct idle_threads *t, int64_t time, enum idle_step step, uint32_t slot,
		       uint32_t top, uint32_t depth)
{
	int64_t begin = t->process->start_ns, end = t->process->end_ns;
	time = time < begin ? begin : time < end ? time : end;
	*vec_push(&t->moment) = (struct idle_moment){ time, step, slot, top, depth };
}

/* If events have the same time, ends come before begins. Among ends, the innermost node comes
 * first; among begins, the outermost node. */
static int by_time(const void *va, const void *vb)
{
	const struct idle_moment *a = va, *b = vb;
	int deeper = ORDER(a->depth, b->depth);
	return ORDER(a->time, b->time) ?: ORDER(a->step, b->step) ?:
		a->step == IDLE_LEAVES ? -deeper : deeper;
}

/* -- lives of threads -------------------------------------------------------------------------- */

/* The threads of a slot that ended: their number, and the sum of their lives. team: members of
 * teams also filled the slot. */
struct lives { uint64_t n; int64_t ns; bool team; };

/* Whether the lives of all threads of the slot are known. The lives of threads that ended are
 * known. If one more thread lived until the end of the process, adds the begin of its life to
 * t->moment. */
static bool add_last(struct idle_threads *t, uint32_t root, const struct lives *lives)
{
	const struct process *process = t->process;
	const struct profile_node *node = &process->profile.node.at[root];
	int64_t left = process->incl_ns[root] - lives->ns,
		rounding = 1000 + 2 * (int64_t)(lives->n < 1000000 ? lives->n : 1000000);
	if (lives->team)
		return false;
	if (node->calls == lives->n)
		return lives->n && left < rounding && left > -rounding;
	/* a profile of an older version of SIS has no lives of threads that ended */
	int64_t off = clock_ns(&process->clock, node->start) + left - process->end_ns;
	bool lasted_to_end = process->profile.life.n || node->open ||
		(off > -1000000 && off < 1000000);
	if (node->calls != lives->n + 1 || left < 0 || !lasted_to_end)
		return false;
	add_moment(t, process->end_ns - left, IDLE_BEGINS, node->slot, 0, 0);
	return true;
}

static void find_lives(struct idle_threads *t)
{
	const struct process *process = t->process;
	const struct profile *p = &process->profile;
	struct lives *lives = mem_alloc(process->slots, sizeof *lives);
	for (size_t i = 0; i < p->life.n; i++) {
		const struct profile_life *l = &p->life.at[i];
		if (l->blocked || l->slot >= process->slots)
			continue;
		lives[l->slot].n++;
		lives[l->slot].ns += clock_span_ns(&process->clock, l->exit - l->enter);
	}
	for (size_t i = 0; i < process->ordered; i++)
		if (p->node.at[process->order[i]].origin != NONE)
			lives[p->node.at[process->order[i]].slot].team = true;
	for (size_t i = 0; i < p->thread.n; i++) {
		uint32_t slot = p->thread.at[i].slot, root = p->thread.at[i].root;
		if (slot < process->slots && root != NONE && p->node.at[root].reachable &&
		    (slot != 0 || lives[0].n > 0))
			t->known[slot] = add_last(t, root, &lives[slot]);
	}
	for (size_t i = 0; i < p->life.n; i++) {
		const struct profile_life *l = &p->life.at[i];
		if (l->slot >= process->slots || (l->slot != 0 && !t->known[l->slot]))
			continue;
		add_moment(t, clock_ns(&process->clock, l->enter),
			   l->blocked ? IDLE_BLOCKS : IDLE_BEGINS, l->slot, 0, 0);
		add_moment(t, clock_ns(&process->clock, l->exit),
			   l->blocked ? IDLE_GOES_ON : IDLE_ENDS, l->slot, 0, 0);
	}
	free(lives);
}

/* -- parts of trees ---------------------------------------------------------------------------- */

/* Finds the tops, and adds their enters and leaves. Parents come before children in `order`. */
static void find_tops(struct idle_threads *t)
{
	const struct process *process = t->process;
	const struct profile *p = &process->profile;
	for (size_t i = 0; i < process->ordered; i++) {
		uint32_t n = process->order[i], parent = p->node.at[n].parent;
		const struct profile_node *node = &p->node.at[n];
		t->top[n] = parent == NONE ? n : t->top[parent];
		if (parent == NONE || node->calls != 1 || node->start < p->head.start.ticks ||
		    p->head.timing > 1 || node->untimed || process->incl_ns[n] < SHORTEST_NS ||
		    (node->slot != 0 && !t->known[node->slot]))
			continue;
		int64_t from = clock_ns(&process->clock, node->start);
		add_moment(t, from, IDLE_ENTERS, node->slot, n, i);
		add_moment(t, from + process->incl_ns[n], IDLE_LEAVES, node->slot, t->top[parent],
			   i);
		t->top[n] = n;
	}
}

void idle_threads_init(struct idle_threads *t, const struct process *process)
{
	size_t nodes = process->profile.node.n;
	bool any = false;
	*t = (struct idle_threads){ .process = process };
	t->known = mem_alloc(process->slots, sizeof *t->known);
	t->top = mem_alloc(nodes + 1, sizeof *t->top);
	t->alone = mem_alloc(nodes + 1, sizeof *t->alone);
	t->among = mem_alloc(nodes + 1, sizeof *t->among);
	t->pu = mem_alloc(process->slots, sizeof *t->pu);
	find_lives(t);
	for (uint32_t slot = 0; slot < process->slots; slot++)
		any |= t->known[slot];
	if (!any)
		return;
	find_tops(t);
	if (!t->known[0])
		add_moment(t, process->start_ns, IDLE_BEGINS, 0, 0, 0);
	add_moment(t, process->end_ns, IDLE_ENTERS, 0, nodes, 0);
	vec_sort(&t->moment, by_time);
}

void idle_threads_release(struct idle_threads *t)
{
	vec_free(&t->moment);
	free(t->known), free(t->top), free(t->alone), free(t->among), free(t->pu);
}

/* -- who worked while one PU was idle ---------------------------------------------------------- */

static bool works(const struct idle_pu *u)
{
	return u->alive > 0 && u->blocked <= 0;
}

static void begin(struct idle_threads *t)
{
	const struct profile *p = &t->process->profile;
	for (uint32_t slot = 0; slot < t->process->slots; slot++)
		t->pu[slot] = (struct idle_pu){ .top = p->node.n };
	for (size_t i = 0; i < p->thread.n; i++)
		if (p->thread.at[i].slot < t->process->slots && p->thread.at[i].root != NONE)
			t->pu[p->thread.at[i].slot].top = p->thread.at[i].root;
	for (size_t i = 0; i <= p->node.n; i++)
		t->alone[i] = t->among[i] = 0;
}

void idle_threads_beside(struct idle_threads *t, uint32_t slot)
{
	/* part: the time that a PU would have got so far if it had always worked together with
	 * others */
	int64_t time = t->process->start_ns, part = 0;
	/* the number of PUs that work, and the sum of their slots. If one PU works, the sum is its
	 * slot */
	uint64_t working = 0, numbers = 0;
	begin(t);
	for (size_t i = 0; i < t->moment.n; i++) {
		const struct idle_moment *m = &t->moment.at[i];
		struct idle_pu *u = &t->pu[m->slot];
		int64_t ns = t->pu[slot].alive > 0 ? 0 : m->time - time;
		bool before = works(u);
		time = m->time;
		if (working > 1)
			part += ns / (int64_t)working;
		else
			t->alone[t->pu[working ? numbers : 0].top] += ns;
		t->among[u->top] += before ? part - u->since : 0;
		u->since = part;
		switch (m->step) {
		case IDLE_BEGINS: u->alive++; break;
		case IDLE_ENDS: u->alive--; break;
		case IDLE_BLOCKS: u->blocked++; break;
		case IDLE_GOES_ON: u->blocked--; break;
		case IDLE_ENTERS: case IDLE_LEAVES: u->top = m->top; break;
		}
		working += works(u) - before;
		numbers += (works(u) - before) * (int64_t)m->slot;
	}
}
