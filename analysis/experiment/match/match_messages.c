/* SPDX-License-Identifier: BSD-3-Clause */
/* match_messages.c - finds the waits for messages: late senders and late receivers. Called by one
 * thread.
 *
 * Messages with the same sender, receiver, communicator and tag keep their order: the n-th send
 * belongs to the n-th receive. So sends and receives are sorted by the same keys, and paired in one
 * walk. All waits of a call begin when the call begins, so the longest wait contains the other
 * waits.
 *
 * A blocking probe waits for the sender of the message that it finds. Polls in vain of a request
 * wait for the same process as the completion of the request.
 *
 * A receive is out of order while it waits for its sender although another message, which its
 * process receives later, has already been sent. */
#include <stdlib.h>

#include "base/sort.h"
#include "experiment/match/match_internal.h"
#include "experiment/match/traffic.h"

#define COMPARE(a, b, field) if ((a)->field != (b)->field) return (a)->field < (b)->field ? -1 : 1

static int compare_channel(const struct message_end *a, const struct message_end *b)
{
	COMPARE(a, b, comm);
	COMPARE(a, b, source);
	COMPARE(a, b, target);
	COMPARE(a, b, tag);
	return 0;
}

static int by_channel_then_post(const void *x, const void *y)
{
	const struct message_end *a = x, *b = y;
	int order = compare_channel(a, b);
	if (order)
		return order;
	COMPARE(a, b, post);
	return 0;
}

typedef VEC(struct wait) waits;

/* a receive that began at `enter`, of a message that was sent at `sent` */
struct received { uint32_t process; int64_t enter, sent; };
struct matcher {
	const struct experiment *x;
	struct experiment_match *match;
	waits wait;
	VEC(struct received) received;
};

/* Adds the sync points, the sync events and the blocked interval of a wait: the process of `self`
 * waited until the process of `other` began its part. */
static void add_delay(struct experiment_match *m, const struct message_end *self,
		      const struct message_end *other)
{
	uint32_t operation = m->operations++;
	int64_t until = other->post < self->exit ? other->post : self->exit;
	match_add_sync_point(m, operation, self->comm, self->process, other->process,
			     until > self->enter ? until : self->enter);
	match_add_sync_point(m, operation, self->comm, other->process, self->process, other->post);
	match_add_sync_event(m, operation, other->process, other->post, false);
	match_add_sync_event(m, operation, self->process, self->exit, true);
	/* a small gap is allowed, because the last poll in vain ends before `other` begins */
	if (until > self->enter && other->post - until < SHORTEST_NS &&
	    self->process != other->process)
		*vec_push(&m->blocked.fill) = (struct blocked_interval){
			self->process, self->slot, other->process, other->slot,
			self->enter, until };
}

static void add_wait(struct matcher *m, const struct message_end *self,
		     const struct message_end *other, enum sis_overhead leaf)
{
	int64_t until = other->post < self->exit ? other->post : self->exit;
	if (until <= self->enter || self->node == NONE)
		return;
	leaf = match_wait_leaf(m->x, &m->x->model.process.at[self->process], self->node, leaf);
	if (leaf != O_NONE)
		*vec_push(&m->wait) = (struct wait){ self->process, self->node, other->process,
						     other->slot, self->comm, self->enter, until,
						     leaf };
}

/* Adds the waits of a send and its receive. The send waited for its receiver only if it did not end
 * before the receiver came. */
static void match_pair(struct matcher *m, const struct message_end *send,
		       const struct message_end *receive)
{
	if (receive->node != NONE)
		add_delay(m->match, receive, send);
	if (send->node != NONE && send->exit >= receive->post && receive->post > send->enter)
		add_delay(m->match, send, receive);
	match_add_matched_call(m->match, receive->process, receive->node, receive->enter,
			       receive->exit);
	match_add_matched_call(m->match, send->process, send->node, send->enter, send->exit);
	if (send->traffic != NONE)
		traffic_add_receive(m->match, send->traffic, receive->enter, receive->exit);
	if (receive->leaf == O_NONE)
		*vec_push(&m->received) = (struct received){ receive->process, receive->enter,
							     send->post };
	add_wait(m, receive, send, receive->leaf == O_NONE ? OSYNC_LATESEND : receive->leaf);
	if (send->exit >= receive->post)
		add_wait(m, send, receive, OSYNC_LATERECV);
}

/* -- receives out of order --------------------------------------------------------------------- */

static int by_receiver_then_enter(const void *x, const void *y)
{
	const struct received *a = x, *b = y;
	COMPARE(a, b, process);
	COMPARE(a, b, enter);
	return 0;
}

/* Replaces `sent` of each receive by the earliest `sent` of the receives that the same process
 * begins later. */
static void find_earliest(struct matcher *m)
{
	int64_t next = INT64_MAX, later = INT64_MAX;
	vec_sort(&m->received, by_receiver_then_enter);
	for (size_t i = m->received.n; i-- > 0;) {
		struct received *r = &m->received.at[i];
		bool same = i + 1 < m->received.n && r[1].process == r->process;
		later = !same ? INT64_MAX : r[1].enter > r->enter ? next : later;
		next = !same || next > r->sent ? r->sent : next;
		r->sent = later;
	}
}

/* The part of the wait in which another message, which the process receives later, had already been
 * sent. */
static int64_t wrong_order_ns(const struct matcher *m, const struct wait *w)
{
	const struct received key = { .process = w->process, .enter = w->enter };
	size_t low = search_first(i, 0, m->received.n,
				  by_receiver_then_enter(&m->received.at[i], &key) < 0);
	if (low == m->received.n || by_receiver_then_enter(&m->received.at[low], &key) != 0)
		return 0;
	int64_t sent = m->received.at[low].sent, from = sent > w->enter ? sent : w->enter;
	return from < w->until ? w->until - from : 0;
}

/* -- waits of a call --------------------------------------------------------------------------- */

static int by_call(const void *x, const void *y)
{
	const struct wait *a = x, *b = y;
	COMPARE(a, b, process);
	COMPARE(a, b, node);
	COMPARE(a, b, enter);
	return 0;
}

static void book_wait(const struct matcher *m, const struct wait *w, int64_t enter)
{
	const struct process *p = &m->x->model.process.at[w->process];
	if (w->until <= enter)
		return;
	match_add_wait(m->match, p, w->node, w->leaf, w->until - enter);
	*vec_push(&m->match->wait_state.fill) = (struct wait_state){
		.process = w->process,
		.slot = p->profile.node.at[w->node].slot,
		.node = w->node,
		.culprit = w->culprit,
		.culprit_slot = w->culprit_slot,
		.comm = w->comm,
		.enter = enter,
		.until = w->until,
		.leaf = { w->leaf },
		.ns = { w->until - enter },
		.wrong_order_ns = w->leaf == OSYNC_LATESEND ? wrong_order_ns(m, w) : 0,
	};
}

/* Books the waits of each call. A call may send and receive. While it waits for its sender, it is
 * not known whether it also waits for its receiver. So the wait for the sender is booked first, and
 * the wait for the receiver begins where the wait for the sender ends. */
static void book_calls(struct matcher *m)
{
	waits *list = &m->wait;
	vec_sort(list, by_call);
	for (size_t i = 0; i < list->n;) {
		const struct wait *call = &list->at[i], *sender = NULL, *receiver = NULL;
		for (; i < list->n && by_call(call, &list->at[i]) == 0; i++) {
			const struct wait *w = &list->at[i];
			const struct wait **last = w->leaf == OSYNC_LATERECV ? &receiver : &sender;
			*last = !*last || w->until > (*last)->until ? w : *last;
		}
		if (sender)
			book_wait(m, sender, call->enter);
		if (receiver)
			book_wait(m, receiver, sender ? sender->until : call->enter);
	}
}

/* -- probes and polls -------------------------------------------------------------------------- */

static void match_probe(struct matcher *m, const struct message_end *probe,
			const message_ends *sends, const message_ends *receives)
{
	/* the first end for the probe's channel that was posted at or after the probe */
	const message_ends *ends = probe->is_send ? sends : receives;
	size_t i = search_first(k, 0, ends->n, by_channel_then_post(&ends->at[k], probe) < 0);
	const struct message_end *end = i < ends->n ? &ends->at[i] : NULL;
	if (!end || compare_channel(end, probe) != 0 || end->pair == NONE)
		return;
	const struct message_end *other = &(probe->is_send ? receives : sends)->at[end->pair];
	match_add_matched_call(m->match, probe->process, probe->node, probe->enter, probe->exit);
	if (other->post <= probe->enter || (probe->is_send && end->exit < other->post))
		return;
	add_delay(m->match, probe, other);
	add_wait(m, probe, other,
		 probe->is_send		 ? OSYNC_LATERECV :
		 end->leaf == O_NONE ? OSYNC_LATESEND :
				       end->leaf);
}

size_t match_messages(const struct experiment *x, struct experiment_match *match,
		      message_ends *sends, message_ends *receives, const message_ends *probes)
{
	size_t s = 0, r = 0, lonely = 0;
	struct matcher m = { .x = x, .match = match };
	vec_sort(sends, by_channel_then_post);
	vec_sort(receives, by_channel_then_post);
	while (s < sends->n || r < receives->n) {
		int order = s == sends->n ? 1 :
			r == receives->n  ? -1 :
					    compare_channel(&sends->at[s], &receives->at[r]);
		if (order >= 0)
			receives->at[r].pair = order ? NONE : s;
		if (order <= 0)
			sends->at[s].pair = order ? NONE : r;
		if (order == 0)
			match_pair(&m, &sends->at[s], &receives->at[r]);
		lonely += order != 0;
		s += order <= 0;
		r += order >= 0;
	}
	for (size_t i = 0; i < probes->n; i++)
		match_probe(&m, &probes->at[i], sends, receives);
	find_earliest(&m);
	book_calls(&m);
	vec_free(&m.wait);
	vec_free(&m.received);
	return lonely;
}
