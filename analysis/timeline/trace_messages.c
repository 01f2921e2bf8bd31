/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_messages.c - finds the calls of a trace that sent and received each message. One thread.
 *
 * Traces have no messages. Profiles have a record of each, with the times of its call, which are
 * those of the call in the trace. match/ has found which records belong together: a sync event is a
 * message if it was released when a send began, and acquired when a receive ended.
 *
 * LIMIT: if two threads of a process begin to send to one process at the same nanosecond, their
 * messages may be exchanged. */
#include "timeline/trace_messages.h"

#include <stdlib.h>

#include "base/sort.h"
#include "match/traffic.h"

/* -- the ends ---------------------------------------------------------------------------------- */

static bool sends(const struct profile_record *r)
{
	return r->kind == SIS_RECORD_SEND || r->kind == SIS_RECORD_ISEND;
}

static bool receives(const struct profile_record *r)
{
	unsigned others = SIS_RECORD_IS_SEND | SIS_RECORD_CANCELLED | SIS_RECORD_BEGUN;
	return r->kind == SIS_RECORD_RECV || (r->kind == SIS_RECORD_DONE && !(r->flags & others));
}

static bool accesses(const struct profile_record *r)
{
	return r->kind >= SIS_RECORD_PUT && r->kind <= SIS_RECORD_ACCUMULATE;
}

static void add_record(trace_messages *list, const struct experiment *x, const struct process *p,
		       const struct profile_record *r, const struct profile_comm *comm)
{
	*vec_push(list) = (struct trace_message){
		.process = p->index,
		.slot = r->slot,
		.receives = receives(r),
		.ns = clock_ns(&p->clock, receives(r) ? r->exit : r->enter),
		.bytes = r->bytes,
		.peer = comm ? traffic_process(x, p, comm, r->peer) : NONE,
		.tag = accesses(r) ? -1 : r->tag,
		.other = NONE,
		.operation = NONE,
	};
}

static void add_process(trace_messages *list, const struct experiment *x, const struct process *p)
{
	struct map comm_by_id = { 0 };
	for (size_t i = 0; i < p->profile.comm.n; i++)
		map_put(&comm_by_id, p->profile.comm.at[i].head.id, 0, (uint32_t)i, NULL);
	for (size_t i = 0; i < p->profile.record.n; i++) {
		const struct profile_record *r = &p->profile.record.at[i];
		uint32_t comm = map_get(&comm_by_id, r->comm, 0);
		if (sends(r) || receives(r) || accesses(r))
			add_record(list, x, p, r,
				   comm == MAP_NONE ? NULL : &p->profile.comm.at[comm]);
	}
	map_free(&comm_by_id);
}

static int by_call(const void *va, const void *vb)
{
	const struct trace_message *a = va, *b = vb;
	return ORDER(a->receives, b->receives) ?: ORDER(a->process, b->process) ?:
		ORDER(a->slot, b->slot) ?: ORDER(a->ns, b->ns) ?: ORDER(a->peer, b->peer);
}

size_t trace_messages_first(const trace_messages *list, uint32_t process, uint32_t slot,
			    bool receives, int64_t ns)
{
	struct trace_message first = {
		.process = process, .slot = slot, .receives = receives, .ns = ns
	};
	return search_first(i, 0, list->n, by_call(&list->at[i], &first) < 0);
}

/* -- pairs ------------------------------------------------------------------------------------- */

/* A call may send several messages to one peer, or receive them from it. */
struct pairing {
	struct map first[2]; /* [receives]: (process and peer, time) -> place in the list */
	uint32_t *paired;    /* by that place: how many of these messages have their other end */
};

static uint64_t channel(uint32_t process, uint32_t peer) { return (uint64_t)process << 32 | peer; }

static void pairing_init(struct pairing *p, const trace_messages *list)
{
	*p = (struct pairing){ .paired = mem_alloc(list->n + 1, sizeof *p->paired) };
	for (size_t i = 0; i < list->n; i++) {
		const struct trace_message *m = &list->at[i];
		if (m->tag >= 0 && m->peer != NONE)
			map_put(&p->first[m->receives], channel(m->process, m->peer),
				(uint64_t)m->ns, (uint32_t)i, NULL);
	}
}

/* The first of the messages at the time of the event that have no other end yet, by its place;
 * NONE. *first: the first of all of them. */
static uint32_t next_end(const struct pairing *p, const trace_messages *list,
			 const struct sync_event *event, uint32_t peer, uint32_t *first)
{
	*first = map_get(&p->first[event->acquires], channel(event->process, peer),
			 (uint64_t)event->time);
	if (*first == MAP_NONE)
		return NONE;
	size_t next = (size_t)*first + p->paired[*first];
	bool same = next < list->n && by_call(&list->at[next], &list->at[*first]) == 0;
	return same ? (uint32_t)next : NONE;
}

static void pair_ends(struct pairing *p, trace_messages *list, const struct sync_event *released,
		      const struct sync_event *acquired)
{
	uint32_t first_from, first_to;
	if (released->acquires || !acquired->acquires)
		return;
	uint32_t from = next_end(p, list, released, acquired->process, &first_from),
		 to = next_end(p, list, acquired, released->process, &first_to);
	if (from == NONE || to == NONE)
		return;
	list->at[from].other = to;
	list->at[to].other = from;
	list->at[from].operation = list->at[to].operation = released->operation;
	p->paired[first_from]++;
	p->paired[first_to]++;
}

void trace_messages_list(trace_messages *list, const struct experiment *x)
{
	struct pairing pairing;
	*list = (trace_messages){ 0 };
	for (uint32_t i = 0; i < x->model.process.n; i++)
		add_process(list, x, &x->model.process.at[i]);
	vec_sort(list, by_call);
	pairing_init(&pairing, list);
	for (size_t i = 1; i < x->match.sync_event.n; i++) {
		const struct sync_event *event = &x->match.sync_event.at[i];
		if (event[-1].operation == event->operation)
			pair_ends(&pairing, list, &event[-1], event);
	}
	map_free(&pairing.first[0]);
	map_free(&pairing.first[1]);
	free(pairing.paired);
}
