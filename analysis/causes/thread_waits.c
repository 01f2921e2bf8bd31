/* SPDX-License-Identifier: BSD-3-Clause */
/* thread_waits.c - the single waits of threads for others of their process, out of a trace. One
 * thread; struct thread_waits belongs to the caller.
 *
 * At a barrier the thread that came last is the culprit of all other waits there:
 *
 *     thread 0  ====|barrier ~~~~~~~~~~~~~|
 *     thread 1  ======|barrier ~~~~~~~~~~~|
 *     thread 2  ==========================|barrier
 *
 * If threads executed tasks at the barrier, each part of a wait has the culprit that worked then.
 *
 * For other waits - locks, critical constructs, taskwait, pthreads - the runtime has recorded which
 * threads were the culprits of the waits in a node, and in which node each was then (struct
 * profile_culprit). The trace says when they were there. If several threads held a lock in turn,
 * each is the culprit of its part of the wait. When a lock goes from one thread to the next, the
 * two meet. */
#include "causes/thread_waits.h"

#include <stdlib.h>
#include <string.h>

#include "base/muldiv.h"
#include "base/sort.h"
#include "model/regions.h"

enum { UNCONTENDED_NS = 500 }; /* a shorter time is the cost of the operation (OSYNC_UNCONT) */

struct process_waits {
	struct thread_waits *w;
	const struct process_timelines *p;
	uint32_t process;
	int64_t *left;        /* by node: of its time in the profile, what is not explained yet */
};

static uint32_t pu_of(const struct process_waits *k, uint32_t slot)
{
	return k->p->process->first_pu + slot;
}

static void add_wait(const struct process_waits *k, uint32_t node, struct wait_state wait,
		     int64_t ns)
{
	const struct process *p = k->p->process;
	const struct experiment *x = k->w->timelines->x;
	if (p->global[node] == NONE || ns <= 0)
		return;
	wait.process = wait.culprit = k->process;
	wait.slot = p->profile.node.at[node].slot;
	wait.node = node;
	wait.among_threads = true;
	wait.leaf[0] = region_leaf(region_of_node(x, p->global[node]));
	k->left[node] -= ns;
	wait.ns[0] = ns;
	*vec_push(&k->w->wait) = wait;
}

static void add_point(const struct process_waits *k, uint32_t operation, uint32_t slot,
		      uint32_t other, int64_t moment)
{
	*vec_push(&k->w->point) = (struct sync_point){
		.process = pu_of(k, slot),
		.other = other == NONE ? NONE : pu_of(k, other),
		.operation = operation,
		.moment = moment,
	};
}

/* -- when others worked ------------------------------------------------------------------------ */

/* A thread was at work, in a node or anywhere. */
struct presence { int64_t from, to; };

/* Those of a thread during a wait; node: NONE: anywhere; end: after the last one that may still be
 * taken */
struct presences { uint32_t slot, node; size_t first, end; };

/* Of all threads that a wait may be due to; kept from wait to wait for its memory. */
struct division {
	const struct process_waits *k;
	VEC(struct presence) presence;
	VEC(struct presences) of;
};

static void add_presence(void *arg, uint32_t node, int64_t from, int64_t to)
{
	struct division *d = arg;
	struct presences *of = &d->of.at[d->of.n - 1];
	const struct process_waits *k = d->k;
	struct presence *last = of->end > of->first ? &d->presence.at[of->end - 1] : NULL;
	bool waits = node != NONE && k->p->waits[node];
	while (node != NONE && of->node != NONE && node != of->node)
		node = k->p->process->profile.node.at[node].parent;
	if (node == NONE || waits)
		return;
	if (last && last->to == from)
		last->to = to;
	else
		*vec_push(&d->presence) = (struct presence){ from, to };
	of->end = d->presence.n;
}

static void division_begin(struct division *d)
{
	d->presence.n = d->of.n = 0;
}

/* Each thread's time during the wait is looked at once. */
static void division_add(struct division *d, uint32_t slot, uint32_t node, int64_t from, int64_t to)
{
	*vec_push(&d->of) = (struct presences){ slot, node, d->presence.n, d->presence.n };
	timeline_for_each(d->k->w->timelines, d->k->process, slot, from, to, add_presence, d);
}

/* The thread that was last at work before `before`: of several the one that had been so for
 * longest. What is later is dropped. NULL: none was. */
static const struct presences *last_present(struct division *d, int64_t before,
					    struct presence *last)
{
	const struct presences *found = NULL;
	for (size_t i = 0; i < d->of.n; i++) {
		struct presences *of = &d->of.at[i];
		while (of->end > of->first && d->presence.at[of->end - 1].from >= before)
			of->end--;
		if (of->end == of->first)
			continue;
		struct presence p = d->presence.at[of->end - 1];
		p.to = p.to < before ? p.to : before;
		if (p.to > last->to || (p.to == last->to && p.from < last->from))
			*last = p, found = of;
	}
	return found;
}

static void division_release(struct division *d)
{
	vec_free(&d->presence), vec_free(&d->of);
}

/* -- barriers ---------------------------------------------------------------------------------- */

struct at_barrier { uint32_t team, barrier; const struct wait_span *span; };

static int by_barrier(const void *va, const void *vb)
{
	const struct at_barrier *a = va, *b = vb;
	return ORDER(a->team, b->team) ?: ORDER(a->barrier, b->barrier) ?:
		ORDER(a->span->slot, b->span->slot) ?: ORDER(a->span->enter, b->span->enter);
}

/* The waits of one thread at one barrier that follow each other without work between. `last`: the
 * thread left the barrier after them. */
struct run { const struct at_barrier *first; size_t n; bool only, last; };

static struct run next_run(const struct at_barrier *at, const struct at_barrier *first,
			   const struct at_barrier *end)
{
	struct run run = { first, 1, first == at || first[-1].span->slot != first->span->slot,
			   false };
	while (&first[run.n] < end && first[run.n].span->slot == first->span->slot &&
	       first[run.n].span->enter == first[run.n - 1].span->leave)
		run.n++;
	run.last = &first[run.n] == end || first[run.n].span->slot != first->span->slot;
	run.only &= run.last;
	return run;
}

/* When the first thread left the barrier. All had come by then. */
static int64_t first_leave(const struct at_barrier *at, const struct at_barrier *end)
{
	int64_t leave = INT64_MAX;
	for (const struct at_barrier *next = at; next < end;) {
		struct run run = next_run(at, next, end);
		int64_t ns = run.first[run.n - 1].span->leave;
		leave = run.last && ns < leave ? ns : leave;
		next += run.n;
	}
	return leave;
}

/* The slot that came last, and when. A thread may execute tasks of the next construct before it
 * leaves the barrier: these do not delay the others. */
struct late { uint32_t slot; int64_t enter; };

static struct late last_to_come(const struct at_barrier *at, const struct at_barrier *end,
				uint32_t except_slot)
{
	struct late late = { NONE, INT64_MIN };
	int64_t leave = first_leave(at, end);
	for (const struct at_barrier *next = at; next < end;) {
		struct run run = next_run(at, next, end);
		const struct wait_span *s = run.first->span;
		if (s->slot != except_slot && s->enter > late.enter && s->enter <= leave)
			late = (struct late){ s->slot, s->enter };
		next += run.n;
	}
	return late;
}

static struct wait_state wait_of(const struct run *run, const struct late *late)
{
	const struct wait_span *last = run->first[run->n - 1].span;
	return (struct wait_state){ .culprit_slot = late->slot,
				    .enter = run->first->span->enter,
				    .until = last->leave < late->enter ? last->leave :
									late->enter };
}

/* All spans of a run are one wait, booked in several nodes. After the culprit has come, the thread
 * needs some time to go on. This time has no culprit: it counts as explained and is in no wait. */
static void add_run(const struct process_waits *k, const struct run *run, const struct late *late)
{
	struct wait_state wait = wait_of(run, late);
	int64_t whole = run->first[run->n - 1].span->leave - wait.enter;
	for (size_t i = 0; i < run->n; i++) {
		const struct wait_span *span = run->first[i].span;
		int64_t ns = span->leave - span->enter,
			part = wait.until > wait.enter && whole > 0 ?
			muldiv(ns, wait.until - wait.enter, whole) : 0;
		add_wait(k, span->node, wait, part);
		k->left[span->node] -= ns - part;
		wait.shares |= part > 0;
	}
}

/* Where tasks were executed at the barrier, each part of a wait is due to the member that was last
 * at work then: it had not come yet, or executed a task. */
struct piece { uint32_t slot; int64_t from, until; };
typedef VEC(struct piece) pieces;

static void find_pieces(struct division *d, const struct run *run, int64_t until, pieces *list)
{
	const struct process_waits *k = d->k;
	const struct wait_span *first = run->first->span;
	list->n = 0;
	division_begin(d);
	for (size_t i = 0; i < k->p->part.n; i++)
		if (k->p->part.at[i].team == run->first->team &&
		    k->p->part.at[i].slot != first->slot)
			division_add(d, k->p->part.at[i].slot, NONE, first->enter, until);
	for (int64_t before = until; before > first->enter;) {
		struct presence last = { first->enter, first->enter };
		const struct presences *found = last_present(d, before, &last);
		if (!found)
			break;
		*vec_push(list) = (struct piece){ found->slot, last.from, last.to };
		before = last.from;
	}
}

/* The runtime knows what part of an interrupted wait was lost parallelism, and counted it in the
 * profile. The trace has the whole wait in one node. So the wait is divided over the nodes beside
 * it, by the times that the profile has and the trace does not explain. */
static void add_piece(const struct process_waits *k, uint32_t node, const struct piece *piece)
{
	uint32_t parent = k->p->process->profile.node.at[node].parent;
	const struct trace_nodes *nodes = &k->p->nodes;
	struct wait_state wait = { .culprit_slot = piece->slot, .enter = piece->from,
				   .until = piece->until, .direct = true };
	int64_t all = 0, ns = piece->until - piece->from, rest = ns;
	for (uint32_t n = nodes->first_child[parent]; n != NONE; n = nodes->next_child[n])
		all += k->p->waits[n] && k->left[n] > 0 ? k->left[n] : 0;
	for (uint32_t n = nodes->first_child[parent]; n != NONE; n = nodes->next_child[n]) {
		int64_t part = k->p->waits[n] && k->left[n] > 0 ? muldiv(ns, k->left[n], all) : 0;
		part = part < k->left[n] ? part : k->left[n];
		rest -= part > 0 ? part : 0;
		add_wait(k, n, wait, part);
		wait.shares |= part > 0;
	}
	if (rest > ns / 1000)
		add_wait(k, node, wait, rest);
}

static void add_run_among_tasks(struct division *d, const struct run *run, int64_t until)
{
	const struct process_waits *k = d->k;
	uint32_t node = run->first->span->node;
	int64_t ns = run->first[run->n - 1].span->leave - run->first->span->enter;
	pieces list = { 0 };
	find_pieces(d, run, until, &list);
	for (size_t i = 0; i < list.n; i++) {
		add_piece(k, node, &list.at[i]);
		ns -= list.at[i].until - list.at[i].from;
	}
	k->left[node] -= ns; /* it needed this time to go on */
	vec_free(&list);
}

/* Whether a thread executed tasks there: it has several waits. */
static bool had_tasks(const struct at_barrier *at, const struct at_barrier *end)
{
	bool all = true;
	for (const struct at_barrier *next = at; next < end;) {
		struct run run = next_run(at, next, end);
		all &= run.only;
		next += run.n;
	}
	return !all;
}

static void find_at_barrier(struct division *d, const struct at_barrier *at,
			    const struct at_barrier *end, bool with_tasks)
{
	const struct process_waits *k = d->k;
	struct late late = last_to_come(at, end, NONE), other = last_to_come(at, end, late.slot);
	int64_t all_there = first_leave(at, end);
	for (const struct at_barrier *next = at; next < end;) {
		struct run run = next_run(at, next, end);
		int64_t leave = run.first[run.n - 1].span->leave;
		const struct late *culprit = run.first->span->slot == late.slot ? &other : &late;
		if (with_tasks)
			add_run_among_tasks(d, &run, leave < all_there ? leave : all_there);
		else
			add_run(k, &run, culprit);
		next += run.n;
		if (run.last)
			add_point(k, k->w->operations, run.first->span->slot, NONE, late.enter);
	}
	k->w->operations++;
}

/* Waits where tasks were executed are the second pass, when the others are known. */
static void find_all_at_barriers(struct division *d, const struct at_barrier *at, size_t n,
				 bool with_tasks)
{
	for (size_t first = 0, end; first < n; first = end) {
		for (end = first + 1; end < n && at[end].team == at[first].team &&
		     at[end].barrier == at[first].barrier;)
			end++;
		if (had_tasks(at + first, at + end) == with_tasks)
			find_at_barrier(d, at + first, at + end, with_tasks);
	}
}

static void find_at_barriers(const struct process_waits *k)
{
	VEC(struct at_barrier) at = { 0 };
	struct division d = { .k = k };
	for (size_t i = 0; i < k->p->span.n; i++) {
		const struct wait_span *s = &k->p->span.at[i];
		uint32_t team = s->barrier ? k->p->part.at[s->part].team : NONE;
		if (team != NONE)
			*vec_push(&at) = (struct at_barrier){ team, s->barrier, s };
	}
	vec_sort(&at, by_barrier);
	find_all_at_barriers(&d, at.at, at.n, false);
	find_all_at_barriers(&d, at.at, at.n, true);
	division_release(&d);
	vec_free(&at);
}

/* The members of a team begin together. */
static void find_forks(const struct process_waits *k)
{
	uint32_t first = k->w->operations;
	for (size_t i = 0; i < k->p->part.n; i++) {
		const struct team_part *part = &k->p->part.at[i];
		if (part->team != NONE)
			add_point(k, first + part->team, part->slot, NONE, part->enter);
	}
	k->w->operations += (uint32_t)k->p->part.n;
}

/* -- other waits ------------------------------------------------------------------------------- */

typedef VEC(const struct profile_culprit *) culprits;

static int by_place(const void *va, const void *vb)
{
	const struct profile_culprit *a = *(const struct profile_culprit *const *)va,
				     *b = *(const struct profile_culprit *const *)vb;
	return ORDER(a->slot, b->slot) ?: ORDER(a->node, b->node) ?: -ORDER(a->ticks, b->ticks);
}

static culprits list_culprits(const struct process_waits *k)
{
	culprits list = { 0 };
	const struct profile *p = &k->p->process->profile;
	for (size_t i = 0; i < p->culprit.n; i++) {
		const struct profile_culprit *c = &p->culprit.at[i];
		if (c->node != NONE && c->other < k->p->process->slots && c->other != c->slot)
			*vec_push(&list) = c;
	}
	vec_sort(&list, by_place);
	return list;
}

/* Divides the wait among the culprits, from its end backwards: a part of it is due to the culprit
 * that was last in its node before the part ends. */
static void divide(struct division *d, const struct wait_span *span,
		   const struct profile_culprit *const *culprit, size_t n)
{
	const struct process_waits *k = d->k;
	division_begin(d);
	for (size_t i = 0; i < n; i++)
		division_add(d, culprit[i]->other, culprit[i]->culprit, span->enter, span->leave);
	for (int64_t before = span->leave; before > span->enter;) {
		struct presence last = { span->enter, span->enter };
		const struct presences *found = last_present(d, before, &last) ?: d->of.at;
		struct wait_state wait = { .culprit_slot = found->slot, .enter = last.from,
					   .until = before, .direct = true };
		add_wait(k, span->node, wait, before - last.from);
		add_point(k, k->w->operations, span->slot, found->slot, before);
		add_point(k, k->w->operations++, found->slot, span->slot, last.to);
		before = last.from;
	}
}

static void find_others(const struct process_waits *k)
{
	culprits list = list_culprits(k);
	struct division d = { .k = k };
	for (size_t i = 0; i < k->p->span.n; i++) {
		const struct wait_span *s = &k->p->span.at[i];
		size_t first = search_first(c, 0, list.n, list.at[c]->slot < s->slot ||
					    (list.at[c]->slot == s->slot &&
					     list.at[c]->node < s->node)), end = first;
		while (end < list.n && list.at[end]->slot == s->slot &&
		       list.at[end]->node == s->node)
			end++;
		if (!s->barrier && end > first)
			divide(&d, s, list.at + first, end - first);
		else if (!s->barrier && s->leave - s->enter <= UNCONTENDED_NS)
			k->left[s->node] -= s->leave - s->enter;
	}
	division_release(&d);
	vec_free(&list);
}

/* -- all of them ------------------------------------------------------------------------------- */

/* The waits in the profile that are not explained. The profile and the trace may divide a wait
 * among the nodes below one place in different ways, so these are added up first. */
static int64_t unexplained(const struct process_waits *k)
{
	const struct process *p = k->p->process;
	int64_t *below = mem_alloc(p->profile.node.n + 1, sizeof *below), sum = 0;
	for (size_t i = 0; i < p->profile.node.n; i++)
		if (k->p->waits[i] && p->global[i] != NONE && p->profile.node.at[i].parent != NONE)
			below[p->profile.node.at[i].parent] += k->left[i];
	for (size_t i = 0; i < p->profile.node.n; i++)
		sum += below[i] > 0 ? below[i] : 0;
	free(below);
	return sum;
}

static void find_in_process(struct thread_waits *w, uint32_t process)
{
	const struct process_timelines *p = &w->timelines->process[process];
	size_t nodes = p->process->profile.node.n;
	struct process_waits k = { w, p, process, mem_alloc(nodes + 1, sizeof *k.left) };
	memcpy(k.left, p->process->excl_ns, nodes * sizeof *k.left);
	find_forks(&k);
	find_at_barriers(&k);
	find_others(&k);
	w->unknown_ns += unexplained(&k);
	free(k.left);
}

void thread_waits_find(struct thread_waits *w, const struct timelines *t)
{
	*w = (struct thread_waits){ .timelines = t };
	for (uint32_t i = 0; i < t->x->model.process.n; i++) {
		if (timelines_whole(t, i))
			find_in_process(w, i);
	}
}

void thread_waits_release(struct thread_waits *w)
{
	vec_free(&w->wait);
	vec_free(&w->point);
}
