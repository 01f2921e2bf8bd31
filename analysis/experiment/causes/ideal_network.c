/* SPDX-License-Identifier: BSD-3-Clause */
/* ideal_network.c - computes the length of the run on an ideal network: only work and waits for
 * other processes take time, transfers do not. Called by one thread; owns nothing.
 *
 * The events of the run are replayed in their order. Each process has a clock that stands still
 * while the process is inside MPI. A process that contributes to an operation records the time of
 * its clock in the operation. If a process needs the result of the operation, its clock is advanced
 * to the latest recorded time.
 *
 * LIMIT: a process's clock is that of its initial thread. Messages of other threads advance the
 * clock, but the time of these threads in MPI does not stop it. */
#include "experiment/causes/ideal_network.h"

#include <stdlib.h>

#include "base/sort.h"

enum what { BEGIN, BRING, TAKE, END }; /* in the order in which events at one time are processed */
struct event { int64_t time; enum what what; uint32_t process, operation; };
typedef VEC(struct event) events;

/* left: the latest recorded time of each operation. The other arrays are by process. clock: its
 * clock; last: the real time up to which the clock was advanced; inside: the number of calls of MPI
 * that the process is in. */
struct run { int64_t *clock, *last, *left; uint32_t *inside; };

static void list_events(const struct experiment *x, events *list)
{
	for (size_t i = 0; i < x->match.sync_event.n; i++) {
		const struct sync_event *h = &x->match.sync_event.at[i];
		*vec_push(list) = (struct event){ h->time, h->acquires ? TAKE : BRING, h->process,
			h->operation };
	}
	for (uint32_t p = 0; p < x->model.process.n; p++) {
		const calls *c = &x->match.process.at[p].calls;
		for (size_t i = 0; i < c->n && c->at[i].slot == 0; i++) {
			*vec_push(list) = (struct event){ c->at[i].enter, BEGIN, p, 0 };
			*vec_push(list) = (struct event){ c->at[i].exit, END, p, 0 };
		}
	}
}

static int by_time(const void *va, const void *vb)
{
	const struct event *a = va, *b = vb;
	return a->time != b->time ? (a->time > b->time) - (a->time < b->time) :
				    (int)a->what - (int)b->what;
}

static void advance(struct run *run, uint32_t process, int64_t time)
{
	if (!run->inside[process] && time > run->last[process])
		run->clock[process] += time - run->last[process];
	if (time > run->last[process])
		run->last[process] = time;
}

void ideal_network(const struct experiment *x, struct experiment_causes *c)
{
	size_t n = x->model.process.n;
	events list = { 0 };
	struct run run = { mem_alloc(n, sizeof *run.clock), mem_alloc(n, sizeof *run.last),
			   mem_alloc(x->match.operations + 1, sizeof *run.left),
			   mem_alloc(n, sizeof *run.inside) };
	c->ideal_ns = x->match.complete ? 0 : -1;
	if (!x->match.complete)
		goto out;
	for (size_t i = 0; i < n; i++) {
		run.clock[i] = x->model.process.at[i].start_ns - x->model.start_ns;
		run.last[i] = x->model.process.at[i].start_ns;
	}
	list_events(x, &list);
	vec_sort(&list, by_time);
	for (size_t i = 0; i < list.n; i++) {
		const struct event *e = &list.at[i];
		int64_t *clock = &run.clock[e->process], *left = &run.left[e->operation];
		advance(&run, e->process, e->time);
		switch (e->what) {
		case BEGIN: run.inside[e->process]++; break;
		case END: run.inside[e->process]--; break;
		case BRING: *left = *clock > *left ? *clock : *left; break;
		case TAKE: *clock = *clock > *left ? *clock : *left; break;
		}
	}
	for (size_t i = 0; i < n; i++) {
		advance(&run, i, x->model.process.at[i].end_ns);
		c->ideal_ns = run.clock[i] > c->ideal_ns ? run.clock[i] : c->ideal_ns;
	}
out:
	vec_free(&list);
	free(run.clock), free(run.last), free(run.left), free(run.inside);
}
