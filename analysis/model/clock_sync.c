/* SPDX-License-Identifier: BSD-3-Clause */
/* clock_sync.c - brings the clocks of different hosts together, after the run. One thread, while an
 * experiment is built.
 *
 * Processes of one boot of a kernel share its monotonic clock. For every other boot, operations of
 * the program bound the offset of its clock: no process leaves a barrier, or an operation from all
 * to all, before the last one has entered it. So each operation bounds the offset from both sides,
 * and the middle of the bounds is wrong by at most half their distance. If there was no such
 * operation, the time of day is used, and the error is that of the hosts' time of day.
 *
 * LIMIT: one offset is used for the whole run; clocks that drift apart by more than the bounds
 * allow give a warning. Messages between two processes are not used. */
#include "model/experiment.h"

#include <inttypes.h>

struct operation { /* of the processes of the reference's boot [0], and the other's [1] */
	int64_t enter[2], exit[2]; /* the last to enter, the first to leave */
	bool seen[2];
};
typedef VEC(struct operation) operations;

/* of the offset, which is added to the other's clock */
struct bounds { int64_t low, high; size_t count; };

/* Damaged times must not overflow a sum. */
static int64_t distance(uint64_t from, uint64_t to)
{
	const __int128 most = INT64_C(1) << 60;
	__int128 d = (__int128)(int64_t)to - (int64_t)from;
	return (int64_t)(d > most ? most : d < -most ? -most : d);
}

/* The name of a communicator in the run: the index of (leader, number); NONE if it has none. */
static uint32_t name_of(const struct profile *p, uint32_t id, struct map *names)
{
	for (size_t i = 0; i < p->comm.n; i++) {
		const struct sis_profile_comm *c = &p->comm.at[i].head;
		if (c->id != id)
			continue;
		if (c->is_world)
			return 0;
		return c->is_inter || c->leader == NONE ?
			NONE :
			map_put(names, c->leader, c->number, names->n + 1, NULL);
	}
	return NONE;
}

static void take_record(const struct process *p, const struct profile_record *r, int side,
			uint32_t comm, struct map *numbers, operations *list)
{
	bool is_new;
	uint32_t k = map_put(numbers, comm, r->serial, list->n, &is_new);
	if (is_new)
		*vec_push(list) = (struct operation){
			.enter = { INT64_MIN, INT64_MIN }, .exit = { INT64_MAX, INT64_MAX },
		};
	struct operation *o = &list->at[k];
	int64_t enter = clock_ns(&p->clock, r->enter), exit = clock_ns(&p->clock, r->exit);
	o->seen[side] = true;
	o->enter[side] = enter > o->enter[side] ? enter : o->enter[side];
	o->exit[side] = exit < o->exit[side] ? exit : o->exit[side];
}

static void take_process(const struct process *p, int side, struct map *names, struct map *numbers,
			 operations *list)
{
	uint32_t id = NONE, comm = NONE; /* of the record before */
	for (size_t i = 0; i < p->profile.record.n; i++) {
		const struct profile_record *r = &p->profile.record.at[i];
		if (r->kind != SIS_RECORD_BARRIER && r->kind != SIS_RECORD_NXN)
			continue;
		if (i == 0 || id != r->comm)
			comm = name_of(&p->profile, id = r->comm, names);
		if (comm != NONE)
			take_record(p, r, side, comm, numbers, list);
	}
}

static struct bounds find_bounds(const struct experiment_model *m, uint64_t reference,
				 uint64_t other)
{
	struct bounds b = { INT64_MIN, INT64_MAX, 0 };
	struct map names = { 0 }, numbers = { 0 };
	operations list = { 0 };
	for (size_t i = 0; i < m->process.n; i++) {
		uint64_t boot = m->process.at[i].profile.head.boot;
		if (boot == reference || boot == other)
			take_process(&m->process.at[i], boot == other, &names, &numbers, &list);
	}
	for (size_t i = 0; i < list.n; i++) {
		const struct operation *o = &list.at[i];
		if (!o->seen[0] || !o->seen[1])
			continue;
		int64_t low = distance((uint64_t)o->exit[1], (uint64_t)o->enter[0]);
		int64_t high = distance((uint64_t)o->enter[1], (uint64_t)o->exit[0]);
		b.low = low > b.low ? low : b.low;
		b.high = high < b.high ? high : b.high;
		b.count++;
	}
	vec_free(&list);
	map_free(&numbers);
	map_free(&names);
	return b;
}

static int64_t by_time_of_day(const struct sis_profile_header *reference,
			      const struct sis_profile_header *other)
{
	return distance(reference->start.realtime_ns - reference->start.monotonic_ns,
			other->start.realtime_ns - other->start.monotonic_ns);
}

/* The offset of the boot of process `first`. Warns if it is not known exactly. */
static int64_t find_offset(const struct experiment_model *m,
			   const struct sis_profile_header *reference, size_t first,
			   warning_list *warnings)
{
	const struct sis_profile_header *h = &m->process.at[first].profile.head;
	struct bounds b = find_bounds(m, reference->boot, h->boot);
	if (b.count == 0) {
		warnings_add(warnings,
			     "the clocks of %s and %s are compared by their time of day "
			     "only: waits for each other may be wrong by as much as that",
			     reference->host, h->host);
		return by_time_of_day(reference, h);
	}
	int64_t error = (b.high - b.low) / 2;
	if (error < 0)
		warnings_add(warnings,
			     "the clocks of %s and %s drifted apart during the run: waits "
			     "for each other may be wrong by %" PRId64 " us",
			     reference->host, h->host, -error / 1000 + 1);
	return b.low + error;
}

void clock_sync(struct experiment_model *m, warning_list *warnings)
{
	for (size_t first = 1; first < m->process.n; first++) {
		const struct sis_profile_header *reference = &m->process.at[0].profile.head;
		uint64_t boot = m->process.at[first].profile.head.boot;
		size_t before = 0;
		while (m->process.at[before].profile.head.boot != boot)
			before++;
		if (before < first || boot == 0 || reference->boot == 0)
			continue;
		int64_t offset = find_offset(m, reference, first, warnings);
		for (size_t i = first; i < m->process.n; i++)
			if (m->process.at[i].profile.head.boot == boot)
				m->process.fill.at[i].clock.ns += offset;
	}
}
