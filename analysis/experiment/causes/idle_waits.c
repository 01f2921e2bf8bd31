/* SPDX-License-Identifier: BSD-3-Clause */
/* idle_waits.c - finds how long PUs were idle because the initial thread of their process waited.
 * Called by one thread; struct idle_waits belongs to the caller. */
#include "experiment/causes/idle_waits.h"

#include "base/muldiv.h"

static uint64_t key_of(uint32_t node, enum sis_overhead leaf)
{
	return (uint64_t)node * SIS_OVERHEADS + leaf;
}

static uint32_t process_of(const struct experiment *x, const struct booking *b)
{
	return x->model.pu.at[b->pu].process;
}

static struct idle_sum *sum_of(const struct idle_waits *w, uint32_t process, uint32_t node,
			       enum sis_overhead leaf)
{
	uint32_t k = map_get(&w->by_key, key_of(node, leaf), process);
	return k == MAP_NONE ? NULL : &w->sum.at[k];
}

void idle_waits_init(struct idle_waits *w, const struct experiment *x)
{
	*w = (struct idle_waits){ .sum = { 0 } };
	for (size_t i = 0; i < x->classify.idle_wait.n; i++) {
		const struct booking *b = &x->classify.idle_wait.at[i];
		bool fresh = false;
		uint32_t k = map_put(&w->by_key, key_of(b->node, b->leaf), process_of(x, b),
				     w->sum.n, &fresh);
		if (fresh)
			*vec_push(&w->sum) = (struct idle_sum){ 0 };
		w->sum.at[k].idle += b->ns;
	}
	for (size_t i = 0; i < x->classify.booking.n; i++) {
		const struct booking *b = &x->classify.booking.at[i];
		struct idle_sum *sum = sum_of(w, process_of(x, b), b->node, b->leaf);
		if (sum)
			sum->booked += b->ns;
	}
}

void idle_waits_release(struct idle_waits *w)
{
	map_free(&w->by_key);
	vec_free(&w->sum);
}

int64_t idle_waits_with(const struct idle_waits *w, uint32_t process, uint32_t node,
			enum sis_overhead leaf, int64_t ns)
{
	const struct idle_sum *sum = sum_of(w, process, node, leaf);
	int64_t others = sum ? sum->booked - sum->idle : 0;
	return others > 0 ? muldiv(ns, sum->booked, others) : ns;
}
