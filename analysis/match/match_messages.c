/* SPDX-License-Identifier: BSD-3-Clause */
/* match_messages.c - late senders and late receivers. One thread.
 *
 * A blocking probe waits for the sender of the message that it finds. Polls in vain of a request
 * wait for what its completion waited for.
 *
 * Messages from one rank to another with the same communicator and tag keep their order: the n-th
 * send belongs to the n-th receive posted for them. So sends and receives are sorted alike and
 * walked together. All waits of a call begin when the call begins, so the longest wait contains the
 * others.
 *
 * A receive is out of order while it waits for its sender and a message that its process receives
 * later has been sent already. */
#include <stdlib.h>

#include "base/sort.h"
#include "match/match_internal.h"
#include "match/traffic.h"

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

/* a receive begun at `enter`, of what was sent at `sent` */
struct received { uint32_t process; int64_t enter, sent; };
struct matcher {
	const struct experiment *x;
	struct experiment_match *match;
	waits wait;
	VEC(struct received) received;
};

/* The process of `self` waited until the process of `other` began its part. */
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
	/* the last unsuccessful poll ends before the other process begins */
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

/* A send that went on until its receiver came was waiting for it; one that was over before was
 * not. */
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

/* -- order ------------------------------------------------------------------------------------- */

static int by_receiver_then_enter(const void *x, const void *y)
{
	const struct received *a = x, *b = y;
	COMPARE(a, b, process);
	COMPARE(a, b, enter);
	return 0;
}

/* Makes `sent` of each receive the earliest of all that its process begins later. */
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

/* How long the call waited for its sender while a message that is received later had been sent. */
static int64_t wrong_order_ns(const struct matcher *m, const struct wait *w)
{
	size_t low = 0, high = m->received.n;
	const struct received key = { .process = w->process, .enter = w->enter };
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (by_receiver_then_enter(&m->received.at[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == m->received.n || by_receiver_then_enter(&m->received.at[low], &key) != 0)
		return 0;
	int64_t sent = m->received.at[low].sent, from = sent > w->enter ? sent : w->enter;
	return from < w->until ? w->until - from : 0;
}

/* -- calls ------------------------------------------------------------------------------------- */

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

/* A call may send and receive. While it waits for its sender, it cannot be seen whether it also
 * waits for its receiver. So the wait for the sender is booked first, and the wait for the receiver
 * begins where that wait ends. */
static void book_call(const struct matcher *m, const struct wait *w, size_t n)
{
	const struct wait *sender = NULL, *receiver = NULL;
	for (size_t i = 0; i < n; i++) {
		const struct wait **last = w[i].leaf == OSYNC_LATERECV ? &receiver : &sender;
		*last = !*last || w[i].until > (*last)->until ? &w[i] : *last;
	}
	if (sender)
		book_wait(m, sender, w->enter);
	if (receiver)
		book_wait(m, receiver, sender ? sender->until : w->enter);
}

static void book_calls(struct matcher *m)
{
	waits *list = &m->wait;
	vec_sort(list, by_call);
	for (size_t first = 0, end; first < list->n; first = end) {
		const struct wait *w = &list->at[first];
		for (end = first + 1; end < list->n && by_call(w, &list->at[end]) == 0;)
			end++;
		book_call(m, w, end - first);
	}
}

/* -- probes and polls -------------------------------------------------------------------------- */

/* The end that a probe or a poll is for: the first one posted for its channel from then on. */
static const struct message_end *find_end(const message_ends *ends, const struct message_end *probe)
{
	const struct message_end *at = ends->at;
	size_t i = search_first(k, 0, ends->n, by_channel_then_post(&at[k], probe) < 0);
	return i < ends->n && compare_channel(&at[i], probe) == 0 ? &at[i] : NULL;
}

static void match_probe(struct matcher *m, const struct message_end *probe,
			const message_ends *sends, const message_ends *receives)
{
	const struct message_end *end = find_end(probe->is_send ? sends : receives, probe);
	if (!end || end->pair == NONE)
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
