/* SPDX-License-Identifier: BSD-3-Clause */
/* chrome_arrows.c - messages as arrows from the call that sent to the call that received. One
 * thread.
 *
 * Traces have no messages: profiles have a record of each, and match/ has matched them. A sync
 * event is a message if it was released when a send began, and acquired when a receive ended. The
 * records of send and receive say which threads these were. */
#include "export/chrome.h"
#include "match/match.h"

struct ends { struct map send, receive; }; /* (process, time) -> slot */

static void list_records(struct ends *ends, const struct experiment *x, uint32_t process)
{
	const struct process *p = &x->model.process.at[process];
	for (size_t i = 0; i < p->profile.record.n; i++) {
		const struct profile_record *r = &p->profile.record.at[i];
		if (r->kind == SIS_RECORD_SEND || r->kind == SIS_RECORD_ISEND)
			map_put(&ends->send, process, (uint64_t)clock_ns(&p->clock, r->enter),
				r->slot, NULL);
		if (r->kind == SIS_RECORD_RECV || r->kind == SIS_RECORD_DONE)
			map_put(&ends->receive, process, (uint64_t)clock_ns(&p->clock, r->exit),
				r->slot, NULL);
	}
}

static bool is_shown(const struct chrome *c, const struct sync_event *h, uint32_t slot)
{
	return slot != MAP_NONE && h->time >= c->from_ns && h->time <= c->to_ns &&
		(c->process < 0 || c->process == c->x->model.process.at[h->process].index) &&
		(c->thread < 0 || c->thread == slot);
}

static void put_end(struct chrome *c, char phase, const struct sync_event *h, uint32_t slot,
		    int64_t ns)
{
	chrome_event(c, phase, c->x->model.process.at[h->process].index, slot, ns);
	fprintf(c->out, ",\"name\":\"message\",\"cat\":\"message\",\"id\":%u%s}", h->operation,
		phase == 'f' ? ",\"bp\":\"e\"" : "");
}

/* Viewers bind the end of an arrow to the slice around its time, so it ends just before the
 * receiving call is left. */
static void put_arrow(struct chrome *c, const struct ends *ends, const struct sync_event *given,
		      const struct sync_event *taken)
{
	uint32_t from = map_get(&ends->send, given->process, (uint64_t)given->time);
	uint32_t to = map_get(&ends->receive, taken->process, (uint64_t)taken->time);
	if (given->acquires || !taken->acquires || !is_shown(c, given, from) ||
	    !is_shown(c, taken, to))
		return;
	put_end(c, 's', given, from, given->time);
	put_end(c, 'f', taken, to, taken->time - 1);
}

void chrome_arrows(struct chrome *c)
{
	struct ends ends = { { 0 }, { 0 } };
	struct experiment *x = c->x;
	match_waits(x, &x->match, &x->warning);
	for (uint32_t i = 0; i < x->model.process.n; i++)
		list_records(&ends, x, i);
	for (size_t i = 1; i < x->match.sync_event.n; i++)
		if (x->match.sync_event.at[i - 1].operation == x->match.sync_event.at[i].operation)
			put_arrow(c, &ends, &x->match.sync_event.at[i - 1],
				  &x->match.sync_event.at[i]);
	map_free(&ends.send);
	map_free(&ends.receive);
}
