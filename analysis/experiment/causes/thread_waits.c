/* SPDX-License-Identifier: BSD-3-Clause */
/* thread_waits.c - finds the waits of threads for other threads of their process in traces. Called
 * by one thread; struct thread_waits belongs to the caller.
 *
 * At a barrier, the thread that came last is the culprit of the waits of all other threads:
 *
 *     thread 0  ====|barrier ~~~~~~~~~~~~~|
 *     thread 1  ======|barrier ~~~~~~~~~~~|
 *     thread 2  ==========================|barrier
 *
 * If threads executed tasks at the barrier, the culprit of each part of a wait is the thread that
 * worked during this part.
 *
 * For waits for locks, at critical constructs, in taskwait and in pthreads, the runtime has
 * recorded the culprits of the waits in a node, and in which nodes the culprits were (struct
 * profile_culprit). The trace says when the culprits were in these nodes. If several threads held a
 * lock in turn, each is the culprit of its part of the wait. When a lock goes from one thread to
 * the next, the two threads meet. The culprit of a wait for the end of a thread is the thread that
 * ended; the profile says when. */
#include "experiment/causes/thread_waits.h"

#include <stdlib.h>
#include <string.h>

#include "base/muldiv.h"
#include "base/sort.h"
#include "experiment/model/regions.h"

enum { UNCONTENDED_NS = 500 }; /* a shorter time is the cost of the operation (OSYNC_UNCONT) */

struct process_waits {
	struct thread_waits *w;
	const struct process_timelines *p;
	uint32_t process;
	int64_t *left;        /* by node: its time in the profile that no wait explains yet */
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

/* -- when other threads worked ----------------------------------------------------------------- */

/* A time in which a thread was at work, in a given node or in any. */
struct presence { int64_t from, to; };

/* The presences of a thread during a wait: elements `first` to `end` - 1 of division.presence.
 * `end` decreases as presences are used. node: where the thread must have been; NONE: anywhere. */
struct presences { uint32_t slot, node; size_t first, end; };

/* The presences of all threads that may be culprits of a wait. It is reused from wait to wait, to
 * save allocations. */
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

/* Adds the presences of a thread in the node from `from` to `to`. */
static void division_add(struct division *d, uint32_t slot, uint32_t node, int64_t from, int64_t to)
{
	*vec_push(&d->of) = (struct presences){ slot, node, d->presence.n, d->presence.n };
	timeline_for_each(d->k->w->timelines, d->k->process, slot, from, to, add_presence, d);
}

/* The thread that was last at work before `before`; NULL if there is none. *last becomes the time
 * in which it was at work. If several threads were last, the result is the thread that had worked
 * for longest. Drops the presences that begin at `before` or later. */
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

/* -- waits at barriers ------------------------------------------------------------------------- */

struct at_barrier { uint32_t team, barrier; const struct wait_span *span; };

static int by_barrier(const void *va, const void *vb)
{
	const struct at_barrier *a = va, *b = vb;
	return ORDER(a->team, b->team) ?: ORDER(a->barrier, b->barrier) ?:
		ORDER(a->span->slot, b->span->slot) ?: ORDER(a->span->enter, b->span->enter);
}

/* Successive waits of one thread at one barrier, without work between them. `last`: after these
 * waits, the thread left the barrier. `only`: the thread has no other waits at this barrier. */
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

/* The time at which the first thread left the barrier. By this time, all threads had come to the
 * barrier. */
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

/* The slot that came last, and the time when it came. A wait that begins after the first thread
 * left does not count. It follows a task of the next construct, and this task does not delay the
 * other threads. */
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

/* Adds the spans of a run as one wait, which is booked in several nodes. After the culprit has
 * come, the thread needs some time to go on. This time has no culprit. It counts as explained, but
 * belongs to no wait. */
static void add_run(const struct process_waits *k, const struct run *run, const struct late *late)
{
	int64_t enter = run->first->span->enter, leave = run->first[run->n - 1].span->leave,
		whole = leave - enter;
	struct wait_state wait = { .culprit_slot = late->slot, .enter = enter,
				   .until = leave < late->enter ? leave : late->enter };
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

/* If tasks were executed at the barrier, a wait is divided. The culprit of each part is the member
 * of the team that was last at work: the member had not come to the barrier yet, or executed a
 * task. */
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

/* Tasks may interrupt a wait, and a part of the wait may be loss of parallelism. In the profile,
 * this part is in a separate node. In the trace, the whole wait is in one node. So the wait is
 * divided among this node and its siblings, in proportion to their times in the profile that are
 * not yet explained. */
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
	k->left[node] -= ns; /* the thread needed this time to go on after the wait */
	vec_free(&list);
}

/* Whether a thread executed tasks at the barrier. Such a thread has several waits at the
 * barrier. */
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

/* Finds the waits at barriers where tasks were executed or, if not `with_tasks`, at the other
 * barriers. The other barriers must come first, because waits at barriers with tasks are divided in
 * proportion to the times that other waits do not explain. */
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

/* -- waits that are not at barriers ------------------------------------------------------------ */

static int by_slot_and_node(const void *va, const void *vb)
{
	const struct profile_culprit *a = *(const struct profile_culprit *const *)va,
				     *b = *(const struct profile_culprit *const *)vb;
	return ORDER(a->slot, b->slot) ?: ORDER(a->node, b->node) ?: -ORDER(a->ticks, b->ticks);
}

/* Divides the wait among the culprits, from the end of the wait backwards. Each part is due to the
 * culprit that was last in its node before the end of the part. */
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

static bool is_join(const struct process_waits *k, uint32_t node)
{
	uint32_t global = k->p->process->global[node];
	return global != NONE &&
		region_leaf(region_of_node(k->w->timelines->x, global)) == OSYNC_PTJOIN;
}

/* A wait for the end of a thread is due to the thread that ended last before the end of the wait.
 * If no thread ended during the span, the span was no wait. */
static void find_join(const struct process_waits *k, const struct wait_span *span)
{
	const struct process *p = k->p->process;
	uint32_t ended = NONE;
	int64_t last = span->enter;
	for (size_t i = 0; i < p->profile.life.n; i++) {
		const struct profile_life *life = &p->profile.life.at[i];
		int64_t exit = clock_ns(&p->clock, life->exit);
		if (!life->blocked && life->slot < p->slots && life->slot != span->slot &&
		    exit > last && exit <= span->leave)
			last = exit, ended = life->slot;
	}
	if (ended == NONE) {
		k->left[span->node] -= span->leave - span->enter;
		return;
	}
	add_wait(k, span->node, (struct wait_state){ .culprit_slot = ended, .enter = span->enter,
						     .until = span->leave, .direct = true },
		 span->leave - span->enter);
	add_point(k, k->w->operations, span->slot, ended, span->leave);
	add_point(k, k->w->operations++, ended, span->slot, last);
}

static void find_others(const struct process_waits *k)
{
	const struct process *p = k->p->process;
	VEC(const struct profile_culprit *) list = { 0 };
	struct division d = { .k = k };
	for (size_t i = 0; i < p->profile.culprit.n; i++) {
		const struct profile_culprit *c = &p->profile.culprit.at[i];
		if (c->node != NONE && c->other < p->slots && c->other != c->slot)
			*vec_push(&list) = c;
	}
	vec_sort(&list, by_slot_and_node);
	for (size_t i = 0; i < k->p->span.n; i++) {
		const struct wait_span *s = &k->p->span.at[i];
		if (is_join(k, s->node)) {
			find_join(k, s);
			continue;
		}
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

/* -- all waits of threads ---------------------------------------------------------------------- */

/* The time of waits in the profile that is not explained. The profile and the trace may divide a
 * wait differently among the children of a node, so the times of the children are added up
 * first. */
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

void thread_waits_find(struct thread_waits *w, const struct timelines *t)
{
	*w = (struct thread_waits){ .timelines = t };
	for (uint32_t i = 0; i < t->x->model.process.n; i++) {
		const struct process_timelines *p = &t->process[i];
		if (!timelines_whole(t, i))
			continue;
		size_t nodes = p->process->profile.node.n;
		struct process_waits k = { w, p, i, mem_alloc(nodes + 1, sizeof *k.left) };
		memcpy(k.left, p->process->excl_ns, nodes * sizeof *k.left);
		for (size_t n = 0; n < p->part.n; n++) { /* the members of a team begin together */
			const struct team_part *part = &p->part.at[n];
			if (part->team != NONE)
				add_point(&k, w->operations + part->team, part->slot, NONE,
					  part->enter);
		}
		w->operations += (uint32_t)p->part.n;
		find_at_barriers(&k);
		find_others(&k);
		w->unknown_ns += unexplained(&k);
		free(k.left);
	}
}

void thread_waits_release(struct thread_waits *w)
{
	vec_free(&w->wait);
	vec_free(&w->point);
}
