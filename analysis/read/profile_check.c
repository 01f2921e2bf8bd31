/* SPDX-License-Identifier: BSD-3-Clause */
/* profile_check.c - checks that do not depend on how a profile is stored: whether its header can be
 * true, its records, and how its nodes and threads are linked. One thread a profile. */
#include "read/profile_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "read/profile_v2.h"

/* -- header ------------------------------------------------------------------------------------ */

static bool sane_cost(double ns)
{
	return isfinite(ns) && ns >= 0 && ns < 1e6;
}

static bool sane_end(const struct sis_profile_header *h)
{
	return !h->end.ticks || (h->end.ticks >= h->start.ticks &&
				 h->end.monotonic_ns >= h->start.monotonic_ns);
}

/* Sums of these and of times of the run do not overflow. */
static bool sane_clock(const struct sis_profile_header *h)
{
	const int64_t most = INT64_MAX / 4;
	return h->start.monotonic_ns <= (uint64_t)most && h->end.monotonic_ns <= (uint64_t)most &&
	       h->clock_offset_ns <= most && h->clock_offset_ns >= -most;
}

/* The first field that has an impossible value; NULL: there is none. */
static const char *impossible_field(const struct sis_profile_header *h)
{
	if (h->size < SIS_PAGE)
		return "size";
	if (h->state < SIS_STATE_RUNNING || h->state > SIS_STATE_SANDBOX)
		return "state";
	if (h->ticks_per_second < 1000 || h->ticks_per_second > 1000000000000u)
		return "clock rate";
	if (h->mpi_rank < -1 || (h->mpi_rank >= 0 && h->mpi_rank >= h->mpi_size))
		return "MPI rank";
	if (h->timing > 1u << 20 || (h->timing & (h->timing - 1)))
		return "SIS_TIMING";
	if (!sane_end(h))
		return "time of the end";
	if (!sane_clock(h))
		return "clock";
	if (!sane_cost(h->probe_inner_ns) || !sane_cost(h->probe_outer_ns))
		return "probe cost";
	return NULL;
}

int profile_check_header(struct profile *p, struct err *err)
{
	struct sis_profile_header *h = &p->head;
	h->host[sizeof h->host - 1] = h->program[sizeof h->program - 1] =
		h->directory[sizeof h->directory - 1] = 0;
	h->run_id[sizeof h->run_id - 1] = h->writer[sizeof h->writer - 1] =
		h->command[sizeof h->command - 1] = 0;
	const char *what = impossible_field(h);
	return what ? profile_fail(p, err, "damaged header: impossible %s" DAMAGED, what) : 0;
}

/* -- records ----------------------------------------------------------------------------------- */

static void add_phase(struct profile *p, struct profile_record *record, const unsigned char *at,
		      size_t room, profile_node_fn *node, const void *nodes)
{
	record->first = p->phase.n;
	record->entries = record->serial < room / 16 ? record->serial : room / 16;
	for (size_t i = 0; i < record->entries; i++) {
		struct sis_phase_entry e;
		memcpy(&e, at + i * sizeof e, sizeof e);
		*vec_push(&p->phase) = (struct profile_phase){ node(nodes, e.node), e.ticks };
	}
}

struct unpacker {
	bool old;
	union { struct sis_record_pack pack; struct old_record_pack old_pack; };
};

static unsigned unpack(struct unpacker *u, const unsigned char *in, size_t room,
		       struct sis_record *r)
{
	return u->old ? old_record_unpack(&u->old_pack, in, room, r) :
			sis_record_unpack(&u->pack, in, room, r);
}

static struct profile_record record_of(const struct sis_record *s, uint32_t slot, uint32_t node)
{
	return (struct profile_record){
		.enter = s->enter,
		.exit = s->exit,
		.bytes = s->bytes,
		.serial = s->serial,
		.slot = slot,
		.node = node,
		.comm = s->comm,
		.peer = s->peer,
		.tag = s->tag,
		.kind = s->kind,
		.flags = s->flags,
	};
}

/* Adds the entries behind the record of a phase. 1: the process was stopped while it wrote them. */
static int take_phase(struct profile *p, struct profile_record *record, const unsigned char *bytes,
		      size_t left, profile_node_fn *node, const void *nodes, struct err *err)
{
	if (record->bytes % 64 == 0 && record->bytes <= left) {
		add_phase(p, record, bytes, record->bytes, node, nodes);
		return 0;
	}
	if (p->head.state != SIS_STATE_ENDED)
		return 1;
	return profile_fail(p, err, "damaged: a phase record runs over its chunk" DAMAGED);
}

static void add_record(struct profile *p, const struct profile_record *r)
{
	if (r->exit < r->enter)
		return;
	if (r->kind == SIS_RECORD_LIFE || r->kind == SIS_RECORD_BLOCKED)
		*vec_push(&p->life) = (struct profile_life){ r->slot, r->node, r->enter, r->exit,
							     r->kind == SIS_RECORD_BLOCKED };
	else if (r->kind == SIS_RECORD_NOCPU)
		*vec_push(&p->no_processor) = (struct profile_no_processor){
			r->slot, r->node, r->enter, r->exit,
			r->bytes < INT64_MAX ? (int64_t)r->bytes : 0 };
	else
		*vec_push(&p->record) = *r;
}

int profile_add_records(struct profile *p, uint32_t slot, const unsigned char *bytes, size_t used,
			profile_node_fn *node, const void *nodes, struct err *err)
{
	struct sis_record_place place[SIS_RECORD_SHAPES];
	struct unpacker unpacker = { .old = PROFILE_IS_OLD(&p->head) };
	struct sis_record s;
	if (!unpacker.old)
		sis_record_pack_begin(&unpacker.pack, place);
	for (size_t at = 0, taken; at < used; at += taken) {
		taken = unpack(&unpacker, bytes + at, used - at, &s);
		if (taken == 0 && p->head.state == SIS_STATE_ENDED)
			return profile_fail(p, err,
					    "damaged: a record that cannot be read" DAMAGED);
		if (taken == 0 || s.kind == 0)
			break; /* the runtime has reserved it and not filled it yet */
		struct profile_record record = record_of(&s, slot, node(nodes, s.node));
		if (s.kind == SIS_RECORD_PHASE) {
			int rc = take_phase(p, &record, bytes + at + taken, used - at - taken,
					    node, nodes, err);
			if (rc)
				return rc < 0 ? rc : 0;
			taken += s.bytes;
		}
		add_record(p, &record);
	}
	return 0;
}

/* -- user values ------------------------------------------------------------------------------- */

/* A record that is not complete, because the process was stopped while it wrote it, or because of
 * damage. */
static bool is_sane(const struct sis_user_value *v)
{
	return v->count && isfinite(v->sum) && isfinite(v->min) && isfinite(v->max) &&
		v->min <= v->max;
}

void profile_add_user_value(struct profile *p, const struct sis_user_value *v, uint32_t node)
{
	if (is_sane(v))
		*vec_push(&p->user_value) = (struct profile_user_value){ node, v->id, v->count,
			v->sum, v->min, v->max };
}

/* -- switches ---------------------------------------------------------------------------------- */

/* Nanoseconds of a hundred years are damage. */
void profile_add_unscheduled(struct profile *p, const struct profile_unscheduled *s)
{
	const uint64_t most = INT64_MAX;
	if (s->count && s->preempted_ns <= most && s->blocked_ns <= most)
		*vec_push(&p->unscheduled) = *s;
}

/* -- culprits ---------------------------------------------------------------------------------- */

/* A record that is not whole was left by a process that was stopped, or is damage. */
void profile_add_culprit(struct profile *p, const struct profile_culprit *c)
{
	if (c->count && c->ticks <= UINT64_MAX / 4 && (c->node == NONE || c->culprit != NONE))
		*vec_push(&p->culprit) = *c;
}

/* -- estimates --------------------------------------------------------------------------------- */

/* Whether `sum` can be the sum of `count` numbers that are not negative, and `squares` the sum of
 * their squares. */
static bool sane_sums(uint64_t count, double sum, double squares)
{
	return isfinite(sum) && isfinite(squares) && sum >= 0 && squares >= 0 && sum < 1e30 &&
		squares < 1e60 && (count || (sum == 0 && squares == 0));
}

/* The activations that began at lower rungs: at most all of the node. */
static void count_below(struct profile_estimate *to, const struct sis_estimate *e, uint64_t calls)
{
	uint64_t left = calls;
	for (uint64_t i = 0; i < SIS_RUNGS - 1; i++) {
		uint64_t now = e->rung == i + 1 && e->since < calls ? calls - e->since : 0;
		uint64_t all = e->below[i] < left ? e->below[i] + now : left;
		to->below[i] = all < left ? all : left;
		left -= to->below[i];
	}
}

/* The file of a process that was killed may have sums that lack their last number. What is
 * impossible is damage, and is left out. */
void profile_add_estimate(struct profile *p, const struct sis_estimate *e, uint32_t node)
{
	const uint64_t most = UINT64_C(1) << 53;
	if (node == NONE || e->timed > most || e->samples > most || e->sampled > INT64_MAX / 4 ||
	    !sane_sums(e->timed, e->ticks, e->ticks_squared) ||
	    !sane_sums(e->samples, (double)e->sampled, e->sampled_squared))
		return;
	*vec_push(&p->estimate) = (struct profile_estimate){
		.node = node,
		.was_low = e->rungs >> SIS_RUNG_SAMPLED & 1,
		.is_brief = (e->rungs & SIS_ESTIMATE_BRIEF) != 0,
		.timed = e->timed,
		.samples = e->samples,
		.sampled = e->sampled,
		.ticks = e->ticks,
		.ticks_squared = e->ticks_squared,
		.sampled_squared = e->sampled_squared,
	};
	count_below(&p->estimate.at[p->estimate.n - 1], e, p->node.at[node].calls);
}

void profile_add_switched(struct profile *p, const struct sis_switched *s)
{
	bool sane = s->what >= SIS_SWITCHED_REGION && s->what <= SIS_SWITCHED_THREAD &&
		s->first <= s->last && s->count <= INT64_MAX && s->ticks <= INT64_MAX / 4;
	if (!s->count || !sane)
		return;
	*vec_push(&p->switched) = *s;
	p->switched.at[p->switched.n - 1].next = NULL; /* the runtime's */
}

/* -- threads and their nodes ------------------------------------------------------------------- */

static int by_slot(const void *va, const void *vb)
{
	const struct profile_thread *a = va, *b = vb;
	return ORDER(a->slot, b->slot);
}

/* Slots are given out from 0 without gaps, so a number beyond their count is damage. */
static int check_slots(struct profile *p, struct err *err)
{
	vec_sort(&p->thread, by_slot);
	for (size_t i = 0; i < p->thread.n; i++) {
		uint32_t slot = p->thread.at[i].slot;
		if (i && slot == p->thread.at[i - 1].slot)
			return profile_fail(p, err, "damaged: two threads in slot %" PRIu32 DAMAGED,
					    slot);
		if (slot > 2 * p->thread.n + 64)
			return profile_fail(p, err, "damaged: slot %" PRIu32 " of %zu" DAMAGED,
					    slot, p->thread.n);
	}
	return 0;
}

/* Follows parents from each node up to one that is known to be reachable or not. */
static void find_reachable(struct profile *p)
{
	enum { UNKNOWN, ON_WAY, LOST, FOUND };
	unsigned char *fate = mem_alloc(p->node.n, 1);
	for (size_t i = 0; i < p->thread.n; i++)
		if (p->thread.at[i].root != NONE)
			fate[p->thread.at[i].root] = FOUND;
	for (uint32_t i = 0; i < p->node.n; i++) {
		uint32_t n = i;
		while (n != NONE && fate[n] == UNKNOWN) {
			fate[n] = ON_WAY;
			uint32_t up = p->node.at[n].parent;
			n = up != NONE && p->node.at[up].slot == p->node.at[n].slot ? up : NONE;
		}
		unsigned char end = n != NONE && fate[n] == FOUND ? FOUND : LOST;
		for (n = i; n != NONE && fate[n] == ON_WAY; n = p->node.at[n].parent)
			fate[n] = end;
	}
	for (uint32_t i = 0; i < p->node.n; i++)
		p->node.at[i].reachable = fate[i] == FOUND && p->node.at[i].region != 0;
	for (size_t i = 0; i < p->thread.n; i++)
		if (p->thread.at[i].root != NONE)
			p->node.at[p->thread.at[i].root].parent = NONE;
	free(fate);
}

/* The activations that were open when the file was last written: from `current` up to the root. A
 * root by itself is open from its start to the last probe, for no time where no thread fills the
 * slot. */
static void find_open(struct profile *p)
{
	if (p->head.state == SIS_STATE_ENDED)
		return;
	for (size_t i = 0; i < p->thread.n; i++) {
		const struct profile_thread *t = &p->thread.at[i];
		if (t->root == NONE)
			continue;
		struct profile_node *root = &p->node.at[t->root];
		if (t->current == t->root && t->stamp > root->start)
			root->total += t->stamp - root->start;
		for (uint32_t n = t->current; n != t->root && n != NONE && p->node.at[n].reachable;
		     n = p->node.at[n].parent)
			p->node.at[n].open = root->open = true;
	}
}

int profile_complete(struct profile *p, struct err *err)
{
	if (check_slots(p, err))
		return ERR_FAILED;
	find_reachable(p);
	find_open(p);
	return 0;
}
