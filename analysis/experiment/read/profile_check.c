/* SPDX-License-Identifier: BSD-3-Clause */
/* profile_check.c - checks the header of a profile, its records, and the links of its nodes and
 * threads. These checks do not depend on how the profile is stored. One thread checks a profile. */
#include "experiment/read/profile_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "record.h"

/* -- header ------------------------------------------------------------------------------------ */

static bool sane_cost(double ns)
{
	return isfinite(ns) && ns >= 0 && ns < 1e6;
}

/* The name of the first field that has an impossible value; NULL if there is none. */
static const char *impossible_field(const struct sis_profile_header *h)
{
	const int64_t most = INT64_MAX / 4; /* so that sums with times of the run do not overflow */
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
	if (h->end.ticks && (h->end.ticks < h->start.ticks ||
			     h->end.monotonic_ns < h->start.monotonic_ns))
		return "time of the end";
	if (h->start.monotonic_ns > (uint64_t)most || h->end.monotonic_ns > (uint64_t)most ||
	    h->clock_offset_ns > most || h->clock_offset_ns < -most)
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

/* Adds the entries that follow the record of a phase. Returns 1 if the process was stopped while it
 * wrote the entries. */
static int take_phase(struct profile *p, struct profile_record *record, const unsigned char *bytes,
		      size_t left, profile_node_fn *node, const void *nodes, struct err *err)
{
	if (record->bytes % 64 != 0 || record->bytes > left)
		return p->head.state != SIS_STATE_ENDED ? 1 :
			profile_fail(p, err, "damaged: a phase record runs over its chunk" DAMAGED);
	record->first = p->phase.n;
	record->entries = record->serial < record->bytes / 16 ? record->serial : record->bytes / 16;
	for (size_t i = 0; i < record->entries; i++) {
		struct sis_phase_entry e;
		memcpy(&e, bytes + i * sizeof e, sizeof e);
		*vec_push(&p->phase) = (struct profile_phase){ node(nodes, e.node), e.ticks };
	}
	return 0;
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
	struct sis_record_pack pack;
	struct sis_record s;
	sis_record_pack_begin(&pack, place);
	for (size_t at = 0, taken; at < used; at += taken) {
		taken = sis_record_unpack(&pack, bytes + at, used - at, &s);
		if (taken == 0 && p->head.state == SIS_STATE_ENDED)
			return profile_fail(p, err,
					    "damaged: a record that cannot be read" DAMAGED);
		if (taken == 0 || s.kind == 0)
			break; /* the runtime has reserved this record, but has not filled it */
		struct profile_record record = {
			.enter = s.enter,
			.exit = s.exit,
			.bytes = s.bytes,
			.serial = s.serial,
			.slot = slot,
			.node = node(nodes, s.node),
			.comm = s.comm,
			.peer = s.peer,
			.tag = s.tag,
			.kind = s.kind,
			.flags = s.flags,
		};
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

/* An incomplete entry is damage, or was being written when the process was stopped. */
void profile_add_user_value(struct profile *p, const struct sis_user_value *v, uint32_t node)
{
	if (v->count && isfinite(v->sum) && isfinite(v->min) && isfinite(v->max) &&
	    v->min <= v->max)
		*vec_push(&p->user_value) = (struct profile_user_value){ node, v->id, v->count,
			v->sum, v->min, v->max };
}

/* -- the kernel's records of switches ---------------------------------------------------------- */

/* Times that do not fit in an int64_t are damage, because they are longer than 292 years. */
void profile_add_unscheduled(struct profile *p, const struct profile_unscheduled *s)
{
	const uint64_t most = INT64_MAX;
	if (s->count && s->preempted_ns <= most && s->blocked_ns <= most)
		*vec_push(&p->unscheduled) = *s;
}

/* -- culprits ---------------------------------------------------------------------------------- */

/* An incomplete entry is damage, or was being written when the process was stopped. */
void profile_add_culprit(struct profile *p, const struct profile_culprit *c)
{
	if (c->count && c->ticks <= UINT64_MAX / 4 && (c->node == NONE || c->culprit != NONE))
		*vec_push(&p->culprit) = *c;
}

/* -- estimates --------------------------------------------------------------------------------- */

/* Whether there can be `count` numbers, none of them negative, whose sum is `sum` and whose squares
 * have the sum `squares`. */
static bool sane_sums(uint64_t count, double sum, double squares)
{
	return isfinite(sum) && isfinite(squares) && sum >= 0 && squares >= 0 && sum < 1e30 &&
		squares < 1e60 && (count || (sum == 0 && squares == 0));
}

/* If a process was killed, the last number may be missing in some of its sums. An entry with
 * impossible values is damage, and is left out. */
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
	/* the activations that began at lower rungs, limited to all activations of the node */
	uint64_t *below = p->estimate.at[p->estimate.n - 1].below, calls = p->node.at[node].calls,
		 left = calls;
	for (uint64_t i = 0; i < SIS_RUNGS - 1; i++) {
		uint64_t now = e->rung == i + 1 && e->since < calls ? calls - e->since : 0;
		uint64_t all = e->below[i] < left ? e->below[i] + now : left;
		below[i] = all < left ? all : left;
		left -= below[i];
	}
}

void profile_add_switched(struct profile *p, const struct sis_switched *s)
{
	bool sane = s->what >= SIS_SWITCHED_REGION && s->what <= SIS_SWITCHED_THREAD &&
		s->first <= s->last && s->count <= INT64_MAX && s->ticks <= INT64_MAX / 4;
	if (!s->count || !sane)
		return;
	*vec_push(&p->switched) = *s;
	p->switched.at[p->switched.n - 1].next = NULL; /* it was an address in the process */
}

/* -- threads and their nodes ------------------------------------------------------------------- */

static int by_slot(const void *va, const void *vb)
{
	const struct profile_thread *a = va, *b = vb;
	return ORDER(a->slot, b->slot);
}

/* The runtime numbers slots from 0 without gaps. So a number far above the count of slots is
 * damage. */
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

/* Finds out which nodes are reachable. Follows the parents of each node up to a node for which this
 * is already known. */
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

/* Marks the activations that were open when the file was last written: from `current` up to the
 * root. If only the root was open, the time from its start to the last probe is added to it. This
 * time is 0 if no thread filled the slot. */
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
