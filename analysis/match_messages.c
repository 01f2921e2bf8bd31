/* match_messages.c - late senders and late receivers. One thread.
 *
 * The n-th message from a rank to another with a tag is the n-th receive posted for it: both sides are
 * sorted alike and walked together. All waits of one call begin with the call, so their union is the
 * longest of them. */
#include <stdlib.h>

#include "match_part.h"

#define COMPARE(a, b, field) if ((a)->field != (b)->field) return (a)->field < (b)->field ? -1 : 1

static int compare_channel(const struct end *a, const struct end *b)
{
	COMPARE(a, b, comm);
	COMPARE(a, b, source);
	COMPARE(a, b, target);
	COMPARE(a, b, tag);
	return 0;
}

static int by_channel_then_post(const void *x, const void *y)
{
	const struct end *a = x, *b = y;
	int order = compare_channel(a, b);
	if (order)
		return order;
	COMPARE(a, b, post);
	return 0;
}

typedef VEC(struct wait) waits;

/* Who waited for the other to begin its part. */
static void add_delay(struct experiment *x, const struct end *who, const struct end *other)
{
	uint32_t operation = x->operations++;
	match_handover(x, operation, other->process, other->post, false);
	match_handover(x, operation, who->process, who->exit, true);
	if (other->post > who->enter && other->post <= who->exit && who->process != other->process)
		*vec_push(&x->delay) = (struct delay){ who->process, other->process, who->enter, other->post };
}

static void add_wait(const struct experiment *x, waits *list, const struct end *who, int64_t until, enum sis_overhead leaf)
{
	until = until < who->exit ? until : who->exit;
	if (until <= who->enter || who->node == NONE)
		return;
	leaf = match_wait_leaf(x, &x->process.at[who->process], who->node, leaf);
	if (leaf != O_NONE)
		*vec_push(list) = (struct wait){ who->process, who->node, who->enter, until, leaf };
}

/* A send that went on until its receiver came was waiting for it; one that was over before was not. */
static void match_pair(struct experiment *x, waits *list, const struct end *send, const struct end *receive)
{
	if (receive->node != NONE)
		add_delay(x, receive, send);
	if (send->node != NONE && send->exit >= receive->post && receive->post > send->enter)
		add_delay(x, send, receive);
	add_wait(x, list, receive, send->post, OSYNC_LATESEND);
	if (send->exit >= receive->post)
		add_wait(x, list, send, receive->post, OSYNC_LATERECV);
}

static int by_call(const void *x, const void *y)
{
	const struct wait *a = x, *b = y;
	COMPARE(a, b, process);
	COMPARE(a, b, node);
	COMPARE(a, b, enter);
	return 0;
}

/* A call that receives and sends cannot be seen to wait for its receiver while it waits for its sender, so
 * that comes first: what it waited for a receiver is what goes beyond. */
static void book_call(struct experiment *x, const struct wait *w, size_t n)
{
	int64_t sender = w->enter, receiver = w->enter;
	for (size_t i = 0; i < n; i++) {
		int64_t *until = w[i].leaf == OSYNC_LATESEND ? &sender : &receiver;
		*until = w[i].until > *until ? w[i].until : *until;
	}
	process_wait(&x->process.at[w->process], w->node, OSYNC_LATESEND, sender - w->enter);
	process_wait(&x->process.at[w->process], w->node, OSYNC_LATERECV, receiver - sender);
}

static void book_calls(struct experiment *x, waits *list)
{
	if (list->n)
		qsort(list->at, list->n, sizeof *list->at, by_call);
	for (size_t first = 0, end; first < list->n; first = end) {
		const struct wait *w = &list->at[first];
		for (end = first + 1; end < list->n && by_call(w, &list->at[end]) == 0;)
			end++;
		book_call(x, w, end - first);
	}
}

size_t match_messages(struct experiment *x, ends *sends, ends *receives)
{
	size_t s = 0, r = 0, lonely = 0;
	waits list = { 0 };
	if (sends->n)
		qsort(sends->at, sends->n, sizeof *sends->at, by_channel_then_post);
	if (receives->n)
		qsort(receives->at, receives->n, sizeof *receives->at, by_channel_then_post);
	while (s < sends->n || r < receives->n) {
		int order = s == sends->n ? 1 : r == receives->n ? -1 : compare_channel(&sends->at[s], &receives->at[r]);
		if (order == 0)
			match_pair(x, &list, &sends->at[s], &receives->at[r]);
		lonely += order != 0;
		s += order <= 0;
		r += order >= 0;
	}
	book_calls(x, &list);
	vec_free(&list);
	return lonely;
}
