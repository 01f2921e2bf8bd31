/* SPDX-License-Identifier: BSD-3-Clause */
/* look.c - copies from a classified experiment what a look needs (look.h). Called by one thread. */
#include "live/look/look.h"

#include <stdlib.h>
#include <string.h>

#include "experiment/classify/classify.h"
#include "live/look/snapshot.h"

/* -- processing units -------------------------------------------------------------------------- */

static const struct profile_thread *thread_of(const struct process *process, uint32_t slot)
{
	for (size_t i = 0; i < process->profile.thread.n; i++)
		if (process->profile.thread.at[i].slot == slot)
			return &process->profile.thread.at[i];
	return NULL;
}

static void take_pu(struct live_look *look, const struct experiment *x, uint32_t pu,
		    uint32_t number, bool runs, const uint32_t *node)
{
	const struct process *process = &x->model.process.at[x->model.pu.at[pu].process];
	const struct profile_thread *thread = thread_of(process, x->model.pu.at[pu].slot);
	struct live_pu_state *state = vec_push(&look->pu);
	*state = (struct live_pu_state){
		.pu = number,
		.process = x->model.pu.at[pu].process,
		.slot = x->model.pu.at[pu].slot,
		.runs = runs,
		.idle = true,
		.node = NONE,
		.since_ns = -1,
		.age_ns = thread ? snapshot_age_ns(process, thread) : -1,
		.useful_ns = x->classify.pu.at[pu].useful_ns,
		.leaves_ns = x->classify.pu.at[pu].leaves_ns,
	};
	if (thread && runs) { /* the unit is in the thread's current node, if that node is open */
		uint32_t current = thread->current;
		const struct profile_node *at = current == NONE ? NULL :
								  &process->profile.node.at[current];
		state->idle = !at || current == thread->root;
		if (at && at->open && process->global[current] != NONE) {
			state->node = node[process->global[current]];
			if (!at->untimed)
				state->since_ns = process->end_ns -
					clock_ns(&process->clock, at->start);
		}
	}
	int64_t error = classify_identity_error(x, pu);
	look->error_ns = error > look->error_ns ? error : look->error_ns;
}

/* Whether no earlier process is on the host of process `i`. */
static bool is_first_on_host(const struct experiment *x, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(x->model.process.at[k].profile.head.host,
			   x->model.process.at[i].profile.head.host) == 0)
			return false;
	return true;
}

/* -- a look ------------------------------------------------------------------------------------ */

void live_look_take(struct live_look *look, struct live_names *names, const struct experiment *x)
{
	uint32_t *node = live_names_nodes(names, x), *pu = live_names_pus(names, x);
	const struct sis_time_mark *start = &x->model.process.at[0].profile.head.start;
	*look = (struct live_look){
		.t_p_ns = experiment_t_p(x),
		.start_ns = (int64_t)start->realtime_ns,
		.processes = x->model.process.n,
	};
	for (size_t i = 0; i < x->model.summary.n; i++) {
		const struct summary *s = &x->model.summary.at[i];
		*vec_push(&look->cell) = (struct live_cell){
			node[s->node], pu[s->pu], O_NONE, x->classify.useful_ns.at[i], s->calls,
		};
	}
	for (size_t i = 0; i < x->classify.booking.n; i++) {
		const struct booking *b = &x->classify.booking.at[i];
		*vec_push(&look->cell) = (struct live_cell){
			node[b->node], pu[b->pu], b->leaf, b->ns, 0,
		};
	}
	for (size_t i = 0; i < x->model.process.n; i++) {
		const struct process *process = &x->model.process.at[i];
		look->running += process->goes_on;
		look->hosts += is_first_on_host(x, i);
		for (uint32_t slot = 0; slot < process->slots; slot++) {
			uint32_t unit = process->first_pu + slot;
			take_pu(look, x, unit, pu[unit], process->goes_on, node);
		}
	}
	free(node);
	free(pu);
}

void live_look_release(struct live_look *look)
{
	vec_free(&look->cell);
	vec_free(&look->pu);
	*look = (struct live_look){ 0 };
}
