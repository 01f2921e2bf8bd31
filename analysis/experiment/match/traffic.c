/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic.c - makes the communication matrix: what each unit sent, by call, communicator and
 * receiver. Owns nothing but the rows in the experiment; called by one thread. If a process's log
 * was full, it has only the first records. The process's call graph has the number of all calls. So
 * the rows are scaled up to this number. */
#include "experiment/match/traffic.h"

#include <stdlib.h>

#include "base/sort.h"

uint32_t traffic_process(const struct experiment *x, const struct process *p,
			 const struct profile_comm *comm, int32_t rank)
{
	if (rank < 0 || (uint32_t)rank >= comm->head.size)
		return NONE;
	/* processes are sorted by their ranks in the world; some may have left no profile */
	const struct process *process = x->model.process.at;
	uint32_t world_rank = comm->head.is_world ? (uint32_t)rank :
		p->profile.member.at[comm->first + (uint32_t)rank];
	size_t low = search_first(i, 0, x->model.process.n,
				  (uint32_t)process[i].profile.head.mpi_rank < world_rank);
	bool found = low < x->model.process.n &&
		process[low].profile.head.mpi_rank == (int64_t)world_rank;
	return found ? (uint32_t)low : NONE;
}

static struct communicator *communicator_at(struct experiment_match *m, uint32_t number)
{
	while (m->communicator.n <= number)
		*vec_push(&m->communicator.fill) = (struct communicator){ NULL, 0, "group" };
	return &m->communicator.fill.at[number];
}

void traffic_is_of_window(struct experiment_match *m, uint32_t number)
{
	communicator_at(m, number)->kind = "window";
}

uint32_t traffic_add(const struct experiment *x, struct experiment_match *m,
		     const struct process *p, const struct profile_record *r,
		     const struct profile_comm *comm, uint32_t number, int32_t rank)
{
	uint32_t global = r->node == NONE ? NONE : p->global[r->node],
		 target = traffic_process(x, p, comm, rank);
	bool fresh;
	if (global == NONE || (rank >= 0 && target == NONE))
		return NONE;
	uint32_t pu = p->first_pu + r->slot;
	uint32_t i = map_put(&m->traffic_by_key, (uint64_t)global << 32 | pu,
			     (uint64_t)number << 32 | target, m->traffic.n, &fresh);
	if (fresh)
		*vec_push(&m->traffic.fill) = (struct traffic){
			.node = global, .pu = pu, .communicator = number, .target = target
		};
	struct communicator *c = communicator_at(m, number);
	c->kind = comm->head.is_inter ? "inter" : c->kind;
	if (!c->name || (!c->name[0] && comm->head.name[0])) {
		free(c->name);
		c->name = mem_print("%.*s", (int)sizeof comm->head.name, comm->head.name);
		c->size = comm->head.size;
	}
	struct traffic *t = &m->traffic.fill.at[i];
	int64_t enter = clock_ns(&p->clock, r->enter), exit = clock_ns(&p->clock, r->exit);
	t->calls++;
	t->bytes += r->bytes;
	t->ns += exit - enter;
	if (m->keeps_traffic_calls)
		*vec_push(&m->traffic_call.fill) = (struct traffic_call){
			.traffic = i, .enter = enter, .exit = exit, .bytes = r->bytes
		};
	return i;
}

void traffic_add_receive(struct experiment_match *m, uint32_t traffic, int64_t enter, int64_t exit)
{
	m->traffic.fill.at[traffic].receive_ns += exit - enter;
	if (m->keeps_traffic_calls)
		*vec_push(&m->traffic_call.fill) = (struct traffic_call){
			.traffic = traffic, .receives = true, .enter = enter, .exit = exit
		};
}

struct kept { struct map by_node_and_pu; VEC(uint64_t) calls; }; /* number of calls with records */

static bool is_of(const struct process *p, const struct traffic *t)
{
	return t->pu >= p->first_pu && t->pu < p->first_pu + p->slots;
}

static uint64_t grown(uint64_t value, uint64_t all, uint64_t have)
{
	unsigned __int128 whole = (unsigned __int128)value * all / have;
	return whole > INT64_MAX ? INT64_MAX : (uint64_t)whole;
}

void traffic_estimate(const struct experiment *x, struct experiment_match *m,
		      const struct process *p)
{
	struct kept kept = { 0 };
	for (size_t i = 0; i < m->traffic.n; i++) {
		bool fresh;
		const struct traffic *t = &m->traffic.at[i];
		if (!is_of(p, t))
			continue;
		uint32_t k = map_put(&kept.by_node_and_pu, t->node, t->pu, kept.calls.n, &fresh);
		if (fresh)
			*vec_push(&kept.calls) = 0;
		kept.calls.at[k] += t->calls;
	}
	for (size_t i = 0; i < m->traffic.n; i++) {
		struct traffic *t = &m->traffic.fill.at[i];
		uint32_t s = experiment_summary(x, t->node, t->pu),
			 k = map_get(&kept.by_node_and_pu, t->node, t->pu);
		if (!is_of(p, t) || s == INDEX_NONE || k == MAP_NONE ||
		    x->model.summary.at[s].calls <= kept.calls.at[k])
			continue;
		uint64_t all = x->model.summary.at[s].calls, have = kept.calls.at[k];
		t->calls = grown(t->calls, all, have);
		t->bytes = grown(t->bytes, all, have);
		t->ns = (int64_t)grown(t->ns < 0 ? 0 : (uint64_t)t->ns, all, have);
		t->receive_ns = (int64_t)grown(t->receive_ns < 0 ? 0 : (uint64_t)t->receive_ns, all,
					       have);
		t->estimated = true;
	}
	map_free(&kept.by_node_and_pu);
	vec_free(&kept.calls);
}

/* -- bytes of collective operations ------------------------------------------------------------ */

/* For a node and a unit: the bytes that were not sent in messages, and the number of collective
 * calls. shared: these calls were made on several communicators. */
struct rest { uint64_t bytes, calls; bool shared; };

static struct rest *rest_of(const struct experiment *x, struct rest *rest, const struct traffic *t)
{
	uint32_t summary = experiment_summary(x, t->node, t->pu);
	return summary == INDEX_NONE ? NULL : &rest[summary];
}

/* If calls of a node were made on several communicators, each one gets bytes in proportion to its
 * calls. */
void traffic_of_collectives(const struct experiment *x, struct experiment_match *m)
{
	uint32_t metric = strmap_get(&x->model.metric_by_name, sis_metric_table[M_BYTES_S].name);
	if (metric == MAP_NONE)
		return;
	struct rest *rest = mem_alloc(x->model.summary.n, sizeof *rest);
	for (size_t i = 0; i < x->model.value.n; i++) {
		const struct value *v = &x->model.value.at[i];
		if (v->metric == metric && v->sum > 0)
			rest[v->summary].bytes += (uint64_t)v->sum;
	}
	for (size_t i = 0; i < m->traffic.n; i++) {
		const struct traffic *t = &m->traffic.at[i];
		struct rest *r = rest_of(x, rest, t);
		if (r && t->target == NONE) {
			r->shared = r->calls > 0;
			r->calls += t->calls;
		} else if (r) { /* the node's bytes include those of its messages */
			r->bytes -= t->bytes < r->bytes ? t->bytes : r->bytes;
		}
	}
	for (size_t i = 0; i < m->traffic.n; i++) {
		struct traffic *t = &m->traffic.fill.at[i];
		struct rest *r = rest_of(x, rest, t);
		if (t->target != NONE || !r || r->calls == 0)
			continue;
		t->bytes = grown(r->bytes, t->calls, r->calls);
		t->estimated |= r->shared && t->bytes > 0;
		r->bytes -= t->bytes;
		r->calls -= t->calls;
	}
	free(rest);
}
