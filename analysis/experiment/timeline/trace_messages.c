/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_messages.c - finds the calls of a trace that sent and received each message. Called by one
 * thread.
 *
 * A trace has calls, but no messages. A profile has a record of each message with the times of its
 * call, which are the same as in the trace. experiment/match/ has found which records belong
 * together, and has represented each pair of records by two sync events. Two sync events are a
 * message if the first one releases when a send begins, and the second one acquires when a receive
 * ends.
 *
 * LIMIT: if two threads of a process begin to send to one process at the same nanosecond, the
 * receivers of their messages may be exchanged. */
#include "experiment/timeline/trace_messages.h"

#include <stdlib.h>

#include "base/sort.h"
#include "experiment/match/traffic.h"

/* -- ends of messages -------------------------------------------------------------------------- */

static bool receives(const struct profile_record *r)
{
	unsigned others = SIS_RECORD_IS_SEND | SIS_RECORD_CANCELLED | SIS_RECORD_BEGUN;
	return r->kind == SIS_RECORD_RECV || (r->kind == SIS_RECORD_DONE && !(r->flags & others));
}

static bool accesses(const struct profile_record *r)
{
	return r->kind >= SIS_RECORD_PUT && r->kind <= SIS_RECORD_ACCUMULATE;
}

static void add_process(trace_messages *list, const struct experiment *x, const struct process *p)
{
	struct map comm_by_id = { 0 };
	for (size_t i = 0; i < p->profile.comm.n; i++)
		map_put(&comm_by_id, p->profile.comm.at[i].head.id, 0, (uint32_t)i, NULL);
	for (size_t i = 0; i < p->profile.record.n; i++) {
		const struct profile_record *r = &p->profile.record.at[i];
		uint32_t comm = map_get(&comm_by_id, r->comm, 0);
		if (r->kind != SIS_RECORD_SEND && r->kind != SIS_RECORD_ISEND && !receives(r) &&
		    !accesses(r))
			continue;
		*vec_push(list) = (struct trace_message){
			.process = p->index,
			.slot = r->slot,
			.receives = receives(r),
			.ns = clock_ns(&p->clock, receives(r) ? r->exit : r->enter),
			.bytes = r->bytes,
			.peer = comm == MAP_NONE ? NONE :
				traffic_process(x, p, &p->profile.comm.at[comm], r->peer),
			.tag = accesses(r) ? -1 : r->tag,
			.other = NONE,
			.operation = NONE,
		};
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

/* -- pairs of ends ----------------------------------------------------------------------------- */

/* Finds ends of messages by their times. A call may send several messages to one peer, or receive
 * several from it. */
struct pairing {
	struct map first[2]; /* [receives]: (process and peer, time) -> index in the list */
	uint32_t *paired;    /* by that index: how many of the messages have been paired */
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

/* The index of the first end of a message that is at the time of the event and has not been paired
 * yet. NONE if there is none. *first: the index of the first end at this time. */
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

void trace_messages_list(trace_messages *list, const struct experiment *x)
{
	struct pairing pairing;
	*list = (trace_messages){ 0 };
	for (uint32_t i = 0; i < x->model.process.n; i++)
		add_process(list, x, &x->model.process.at[i]);
	vec_sort(list, by_call);
	pairing_init(&pairing, list);
	for (size_t i = 1; i < x->match.sync_event.n; i++) {
		const struct sync_event *to = &x->match.sync_event.at[i], *from = to - 1;
		if (from->operation != to->operation || from->acquires || !to->acquires)
			continue;
		uint32_t first_sent, first_received,
			 sent = next_end(&pairing, list, from, to->process, &first_sent),
			 received = next_end(&pairing, list, to, from->process, &first_received);
		if (sent == NONE || received == NONE)
			continue;
		list->at[sent].other = received;
		list->at[received].other = sent;
		list->at[sent].operation = list->at[received].operation = from->operation;
		pairing.paired[first_sent]++;
		pairing.paired[first_received]++;
	}
	map_free(&pairing.first[0]);
	map_free(&pairing.first[1]);
	free(pairing.paired);
}
