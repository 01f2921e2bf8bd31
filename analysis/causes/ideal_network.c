/* SPDX-License-Identifier: BSD-3-Clause */
/* ideal_network.c - the length of the run on an ideal network: transfers take no time, only work
 * and waiting for others do. One thread; owns nothing.
 *
 * The events are replayed in their order. Each process has a clock that stands still inside MPI. A
 * process that contributes to an operation records its clock's time there. A process that needs the
 * operation continues at the latest recorded time.
 *
 * LIMIT: a process's clock is that of its initial thread. Messages of other threads move it; their
 * time in MPI does not stop it. */
#include "causes/ideal_network.h"

#include <stdlib.h>

#include "base/sort.h"

enum what { BEGIN, BRING, TAKE, END }; /* at one moment in this order */
struct event { int64_t time; enum what what; uint32_t process, operation; };
typedef VEC(struct event) events;

/* left: in an operation; the others of a process */
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

static void happen(struct run *run, const struct event *e)
{
	int64_t *clock = &run->clock[e->process];
	advance(run, e->process, e->time);
	switch (e->what) {
	case BEGIN: run->inside[e->process]++; break;
	case END: run->inside[e->process]--; break;
	case BRING:
		run->left[e->operation] = *clock > run->left[e->operation] ?
			*clock :
			run->left[e->operation];
		break;
	case TAKE:
		*clock = *clock > run->left[e->operation] ? *clock : run->left[e->operation];
		break;
	}
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
	for (size_t i = 0; i < list.n; i++)
		happen(&run, &list.at[i]);
	for (size_t i = 0; i < n; i++) {
		advance(&run, i, x->model.process.at[i].end_ns);
		c->ideal_ns = run.clock[i] > c->ideal_ns ? run.clock[i] : c->ideal_ns;
	}
out:
	vec_free(&list);
	free(run.clock), free(run.last), free(run.left), free(run.inside);
}
