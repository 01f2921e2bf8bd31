/* SPDX-License-Identifier: BSD-3-Clause */
/* clock_sync.c - finds the offsets between the clocks of different hosts, after the run. Called by
 * one thread.
 *
 * Processes that ran during the same boot of a kernel share its monotonic clock. The clock of every
 * other boot has an offset, which collective operations bound: no process leaves a barrier, or an
 * operation from all to all, before the last process has entered this operation. So each operation
 * gives a lower and an upper bound. The offset is the middle between the bounds. It is wrong by at
 * most half of their distance. If there was no such operation, the offset is computed from the
 * hosts' times of day, and has the error of these.
 *
 * LIMIT: one offset is used for the whole run. If clocks drift apart by more than the bounds allow,
 * there is a warning. Messages between two processes are not used to find bounds. */
#include "experiment/model/experiment.h"

#include <inttypes.h>

struct operation { /* [0]: processes of the reference's boot; [1]: processes of the other boot */
	int64_t enter[2], exit[2]; /* times of the last enter, and of the first exit */
	bool seen[2];
};
typedef VEC(struct operation) operations;

/* bounds of the offset that must be added to times of the other boot */
struct bounds { int64_t low, high; size_t count; };

/* to - from, limited so that damaged times cannot overflow a sum. */
static int64_t distance(uint64_t from, uint64_t to)
{
	const __int128 most = INT64_C(1) << 60;
	__int128 d = (__int128)(int64_t)to - (int64_t)from;
	return (int64_t)(d > most ? most : d < -most ? -most : d);
}

/* A number for the communicator's name in the run, which is (leader, number). The world has the
 * number 0. NONE if the communicator has no name in the run. */
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

static void add_operations(const struct process *p, int side, struct map *names,
			   struct map *numbers, operations *list)
{
	uint32_t id = NONE, comm = NONE; /* of the previous record */
	for (size_t i = 0; i < p->profile.record.n; i++) {
		const struct profile_record *r = &p->profile.record.at[i];
		if (r->kind != SIS_RECORD_BARRIER && r->kind != SIS_RECORD_NXN)
			continue;
		if (i == 0 || id != r->comm)
			comm = name_of(&p->profile, id = r->comm, names);
		if (comm == NONE)
			continue;
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
			add_operations(&m->process.at[i], boot == other, &names, &numbers, &list);
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

/* The offset of the clock in the boot of process `first`. Warns if it is not known exactly. */
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
		return distance(reference->start.realtime_ns - reference->start.monotonic_ns,
				h->start.realtime_ns - h->start.monotonic_ns);
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
