/* SPDX-License-Identifier: BSD-3-Clause */
/* poll_times.c - moves the time between polls to the polls. Uses only the data of one process;
 * called by one thread.
 *
 * A loop that does nothing but call MPI_Test waits all the time. This includes the time between two
 * tests, in which the loop and the probes run. In the call graph, this time belongs to the regions
 * around the call. The runtime recorded the sum of this time. Here, the sum is taken from the
 * regions around the call, from the nearest one first. */
#include "experiment/model/poll_times.h"

#include <stdlib.h>

#include "base/muldiv.h"
#include "base/sort.h"

/* -- times of nodes ---------------------------------------------------------------------------- */

static void move_time(struct process *p, uint32_t polls, int64_t ns)
{
	const struct profile_node *node = p->profile.node.at;
	/* const is for later stages; this stage may still change the arrays */
	int64_t *incl_ns = (int64_t *)p->incl_ns, *excl_ns = (int64_t *)p->excl_ns, around = 0;
	for (uint32_t n = node[polls].parent; n != NONE; n = node[n].parent)
		around += excl_ns[n];
	int64_t left = ns < around ? ns : around;
	excl_ns[polls] += left;
	for (uint32_t n = polls; left > 0; n = node[n].parent) {
		uint32_t parent = node[n].parent;
		int64_t part = left < excl_ns[parent] ? left : excl_ns[parent];
		incl_ns[n] += left;
		excl_ns[parent] -= part;
		p->between_ns[parent] += part;
		left -= part;
	}
}

/* -- phases ------------------------------------------------------------------------------------ */

struct phase_ref { uint32_t slot; uint64_t enter, exit; size_t record; };
typedef VEC(struct phase_ref) phase_refs;

static int by_slot_and_exit(const void *va, const void *vb)
{
	const struct phase_ref *a = va, *b = vb;
	return ORDER(a->slot, b->slot) ?: ORDER(a->exit, b->exit);
}

static struct profile_phase *find_entry(const struct process *p,
					const struct profile_record *phase, uint32_t node)
{
	for (size_t i = 0; i < phase->entries; i++)
		if (p->profile.phase.at[phase->first + i].node == node)
			return &p->profile.phase.at[phase->first + i];
	return NULL;
}

static void move_in_phase(const struct process *p, const struct profile_record *phase,
			  uint32_t polls, uint64_t ticks)
{
	struct profile_phase *to = find_entry(p, phase, polls);
	uint32_t n = polls;
	while (to && ticks > 0 && (n = p->profile.node.at[n].parent) != NONE) {
		struct profile_phase *from = find_entry(p, phase, n);
		uint64_t part = !from ? 0 : ticks < from->ticks ? ticks : from->ticks;
		if (from)
			from->ticks -= part;
		to->ticks += part;
		ticks -= part;
	}
}

/* Moves the time between polls in all phases during the polls. The time is divided among these
 * phases in proportion to their overlap with the polls. */
static void move_in_phases(const struct process *p, const phase_refs *phases,
			   const struct profile_record *polls)
{
	const struct phase_ref *at = phases->at;
	size_t i = search_first(k, 0, phases->n, at[k].slot < polls->slot ||
				(at[k].slot == polls->slot && at[k].exit <= polls->enter));
	for (; i < phases->n && at[i].slot == polls->slot && at[i].enter < polls->exit; i++) {
		uint64_t from = at[i].enter > polls->enter ? at[i].enter : polls->enter,
			 to = at[i].exit < polls->exit ? at[i].exit : polls->exit,
			 all = polls->exit - polls->enter;
		uint64_t part = (uint64_t)((unsigned __int128)polls->bytes * (to - from) / all);
		move_in_phase(p, &p->profile.record.at[at[i].record], polls->node, part);
	}
}

static phase_refs list_phases(const struct profile *p)
{
	phase_refs phases = { 0 };
	for (size_t i = 0; i < p->record.n; i++) {
		const struct profile_record *r = &p->record.at[i];
		if (r->kind == SIS_RECORD_PHASE)
			*vec_push(&phases) = (struct phase_ref){ r->slot, r->enter, r->exit, i };
	}
	vec_sort(&phases, by_slot_and_exit);
	return phases;
}

/* -- polls that were open at the end ----------------------------------------------------------- */

/* 1 ms: a thread had stopped polling if its last probe is later than its last poll by more than
 * this */
enum { OPEN_PER_SECOND = 1000 };

bool polls_are_open(const struct process *p, const struct profile_polls *polls)
{
	const struct profile *profile = &p->profile;
	uint32_t slot = profile->node.at[polls->node].slot;
	for (size_t i = 0; i < profile->thread.n; i++) {
		const struct profile_thread *t = &profile->thread.at[i];
		if (t->slot == slot)
			return t->stamp <= polls->exit || t->stamp - polls->exit <=
				profile->head.ticks_per_second / OPEN_PER_SECOND;
	}
	return false;
}

/* -- moving the time of all polls -------------------------------------------------------------- */

void poll_times_move(struct process *process)
{
	const struct profile *p = &process->profile;
	phase_refs phases = { 0 };
	for (size_t i = 0; i < p->record.n; i++) {
		const struct profile_record *r = &p->record.at[i];
		/* bytes: ticks between the polls; more than their whole length is damage */
		if (!is_polls(r) || r->node == NONE || !p->node.at[r->node].reachable ||
		    r->bytes == 0 || r->bytes > r->exit - r->enter)
			continue;
		if (!process->between_ns) {
			process->between_ns = mem_alloc(p->node.n, sizeof *process->between_ns);
			phases = list_phases(p);
		}
		move_time(process, r->node, clock_span_ns(&process->clock, r->bytes));
		move_in_phases(process, &phases, r);
	}
	vec_free(&phases);
	if (p->polls.n && !process->between_ns)
		process->between_ns = mem_alloc(p->node.n, sizeof *process->between_ns);
	/* Open polls happened in the last phase. It has no record, so no phase is changed. */
	for (size_t i = 0; i < p->polls.n; i++) {
		const struct profile_polls *polls = &p->polls.at[i];
		if (polls_are_open(process, polls) && p->node.at[polls->node].reachable)
			move_time(process, polls->node,
				  clock_span_ns(&process->clock, polls->between));
	}
}
