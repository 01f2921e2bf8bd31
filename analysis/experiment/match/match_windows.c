/* SPDX-License-Identifier: BSD-3-Clause */
/* match_windows.c - finds the waits in one-sided communication outside of fences: for a post, for a
 * complete, and for locks. Called by one thread; struct windows belongs to match.c.
 *
 * A post is like a message from the target to each origin, and a complete like a message back. So
 * posts and completes become ends of messages, which match_messages.c matches. The MPI library
 * decides whether an origin waits for the post in its start or in its complete. So both of these
 * calls get an end.
 *
 * While a process holds an exclusive lock, no other process can hold the lock. A process waits for
 * the lock in a call that takes, uses or releases it. If another process released the lock during
 * this call, the wait lasted until then. */
#include <stdlib.h>

#include "base/sort.h"
#include "experiment/match/match_internal.h"
#include "experiment/match/traffic.h"

enum { AT_START, BACK, AT_COMPLETE }; /* tags of these messages */

/* A peer in an open epoch. access: a start began the epoch; else a post began it. */
struct peer { uint32_t window; bool access; int32_t rank; int64_t enter; };
struct lock_epoch {
	uint32_t window, process, slot;
	int32_t target;          /* rank; -1: all */
	bool shared, open;
	int64_t release, end;    /* ns: begin and end of the unlock; INT64_MAX if not recorded */
};
struct lock_call { uint32_t epoch, node; int64_t enter, exit; };

/* -- post, start, complete, wait --------------------------------------------------------------- */

static void add_end(const struct window_record *r, bool send, int32_t peer, int tag, bool waits)
{
	int32_t rank = (int32_t)r->comm->head.rank;
	*vec_push(send ? r->sends : r->receives) = (struct message_end){
		.comm = r->number,
		.tag = tag,
		.post = r->enter,
		.enter = r->enter,
		.exit = r->exit,
		.leaf = OSYNC_PSCW,
		.source = send ? rank : peer,
		.target = send ? peer : rank,
		.traffic = NONE,
		.process = r->process,
		.slot = r->record->slot,
		.node = waits ? r->record->node : NONE,
	};
}

/* Adds a peer to the window's epoch. A call has one record for each peer. The peers of an earlier
 * call of the same kind are removed. */
static void open_epoch(struct windows *w, const struct window_record *r, bool access)
{
	size_t kept = 0;
	for (size_t i = 0; i < w->peer.n; i++) {
		const struct peer *p = &w->peer.at[i];
		if (p->window != r->number || p->access != access || p->enter == r->enter)
			w->peer.at[kept++] = *p;
	}
	w->peer.n = kept;
	*vec_push(&w->peer) = (struct peer){ r->number, access, r->record->peer, r->enter };
	if (access) {
		add_end(r, false, r->record->peer, AT_START, true);
		return;
	}
	add_end(r, true, r->record->peer, AT_START, false);
	add_end(r, true, r->record->peer, AT_COMPLETE, false);
}

static void close_epoch(struct windows *w, const struct window_record *r, bool access)
{
	size_t kept = 0;
	for (size_t i = 0; i < w->peer.n; i++) {
		const struct peer p = w->peer.at[i];
		if (p.window != r->number || p.access != access) {
			w->peer.at[kept++] = p;
			continue;
		}
		if (access) {
			add_end(r, false, p.rank, AT_COMPLETE, true);
			add_end(r, true, p.rank, BACK, false);
		} else {
			add_end(r, false, p.rank, BACK, true);
		}
	}
	w->peer.n = kept;
}

/* -- locks ------------------------------------------------------------------------------------- */

/* The open epoch of locks that a call belongs to, as index in w->open; w->open.n if there is none.
 * A call for all targets may belong to any open epoch of the window. */
static size_t find_open(const struct windows *w, const struct window_record *r)
{
	for (size_t i = w->open.n; i-- > 0;) {
		const struct lock_epoch *e = &w->epoch.at[w->open.at[i]];
		if (e->window == r->number &&
		    (e->target == r->record->peer || e->target < 0 || r->record->peer < 0))
			return i;
	}
	return w->open.n;
}

static void take_lock_call(struct windows *w, const struct window_record *r)
{
	if (r->record->kind == SIS_RECORD_LOCK) {
		*vec_push(&w->epoch) = (struct lock_epoch){
			.window = r->number,
			.process = r->process,
			.slot = r->record->slot,
			.target = r->record->peer,
			.shared = r->record->flags & SIS_RECORD_SHARED,
			.open = true,
			.release = INT64_MAX,
			.end = INT64_MAX,
		};
		*vec_push(&w->open) = w->epoch.n - 1;
	}
	size_t i = find_open(w, r);
	if (i == w->open.n)
		return;
	uint32_t epoch = w->open.at[i];
	if (r->exit - r->enter >= SHORTEST_NS)
		*vec_push(&w->call) = (struct lock_call){ epoch, r->record->node, r->enter,
			r->exit };
	if (r->record->kind != SIS_RECORD_UNLOCK)
		return;
	w->epoch.at[epoch].release = r->enter;
	w->epoch.at[epoch].end = r->exit;
	w->open.at[i] = w->open.at[--w->open.n];
}

void windows_take(struct windows *w, const struct window_record *r)
{
	traffic_is_of_window(w->match, r->number);
	switch (r->record->kind) {
	case SIS_RECORD_PUT:
	case SIS_RECORD_GET:
	case SIS_RECORD_ACCUMULATE:
		if (r->record->peer >= 0)
			traffic_add(w->x, w->match, &w->x->model.process.at[r->process], r->record,
				    r->comm, r->number, r->record->peer);
		return;
	case SIS_RECORD_POST:
	case SIS_RECORD_START:
		open_epoch(w, r, r->record->kind == SIS_RECORD_START);
		return;
	case SIS_RECORD_COMPLETE:
	case SIS_RECORD_WAIT:
		close_epoch(w, r, r->record->kind == SIS_RECORD_COMPLETE);
		return;
	default:
		take_lock_call(w, r);
	}
}

void windows_next_process(struct windows *w)
{
	w->peer.n = w->open.n = 0;
}

/* -- waits for locks --------------------------------------------------------------------------- */

/* by_release: indices of the epochs, by window and time of release */
struct release_order { const struct windows *w; uint32_t *by_release; };

static int by_window_and_release(const void *va, const void *vb, void *arg)
{
	const struct windows *w = arg;
	const struct lock_epoch *a = &w->epoch.at[*(const uint32_t *)va],
				*b = &w->epoch.at[*(const uint32_t *)vb];
	return a->window != b->window ? (a->window > b->window) - (a->window < b->window) :
		(a->release > b->release) - (a->release < b->release);
}

static void book(const struct windows *w, const struct lock_call *call,
		 const struct lock_epoch *own, const struct lock_epoch *other, int64_t from)
{
	struct experiment_match *m = w->match;
	const struct process *process = &w->x->model.process.at[own->process];
	int64_t until = other->release;
	uint32_t operation = m->operations++;
	enum sis_overhead leaf = match_wait_leaf(w->x, process, call->node, OSYNC_RMALOCK);
	match_add_sync_point(m, operation, own->window, own->process, other->process, until);
	match_add_sync_point(m, operation, own->window, other->process, own->process, until);
	match_add_sync_event(m, operation, other->process, until, false);
	match_add_sync_event(m, operation, own->process, call->exit, true);
	*vec_push(&m->blocked.fill) = (struct blocked_interval){
		own->process, own->slot, other->process, other->slot, from, until };
	if (leaf == O_NONE)
		return;
	match_add_wait(m, process, call->node, leaf, until - from);
	*vec_push(&m->wait_state.fill) = (struct wait_state){ .process = own->process,
							      .slot = own->slot,
							      .node = call->node,
							      .culprit = other->process,
							      .culprit_slot = other->slot,
							      .comm = own->window,
							      .enter = from,
							      .until = until,
							      .leaf = { leaf },
							      .ns = { until - from },
							      .held = true };
}

/* Books the waits of one call. Several processes may have held the lock one after the other during
 * the call. */
static void book_waits_for_lock(const struct release_order *t, const struct lock_call *call)
{
	const struct lock_epoch *e = t->w->epoch.at, *own = &e[call->epoch];
	const uint32_t *by = t->by_release;
	int64_t from = call->enter;
	/* the window's first epoch whose lock was released after the call began */
	size_t first = search_first(i, 0, t->w->epoch.n, e[by[i]].window < own->window ||
				    (e[by[i]].window == own->window &&
				     e[by[i]].release <= call->enter));
	match_add_matched_call(t->w->match, own->process, call->node, call->enter, call->exit);
	for (size_t i = first; i < t->w->epoch.n; i++) {
		const struct lock_epoch *other = &e[by[i]];
		if (other->window != own->window || other->release > call->exit)
			return;
		bool exclude = own->process != other->process && !(own->shared && other->shared) &&
			(own->target == other->target || own->target < 0 || other->target < 0);
		if (!exclude || other->release <= from)
			continue;
		book(t->w, call, own, other, from);
		from = other->release;
	}
}

void match_windows(struct windows *w)
{
	struct release_order t = { w, mem_alloc(w->epoch.n + 1, sizeof *t.by_release) };
	for (size_t i = 0; i < w->epoch.n; i++)
		t.by_release[i] = (uint32_t)i;
	qsort_r(t.by_release, w->epoch.n, sizeof *t.by_release, by_window_and_release, w);
	for (size_t i = 0; i < w->call.n; i++)
		book_waits_for_lock(&t, &w->call.at[i]);
	free(t.by_release);
	vec_free(&w->epoch), vec_free(&w->call), vec_free(&w->peer), vec_free(&w->open);
}
