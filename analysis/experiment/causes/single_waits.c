/* SPDX-License-Identifier: BSD-3-Clause */
/* single_waits.c - lists all single waits by processing unit and time. Owns the list; called by one
 * thread. */
#include "experiment/causes/single_waits.h"

#include <stdlib.h>

#include "base/sort.h"

static int by_unit_and_until(const void *va, const void *vb)
{
	const struct wait_state *a = va, *b = vb;
	return ORDER(a->process, b->process) ?: ORDER(a->slot, b->slot) ?:
		ORDER(a->until, b->until) ?: ORDER(a->shares, b->shares);
}

void single_waits_init(struct single_waits *w, const struct experiment *x,
		       const struct thread_waits *threads)
{
	size_t next = 0;
	*w = (struct single_waits){ .x = x };
	for (size_t i = 0; i < x->match.wait_state.n; i++)
		*vec_push(&w->wait) = x->match.wait_state.at[i];
	for (size_t i = 0; i < threads->wait.n; i++)
		*vec_push(&w->wait) = threads->wait.at[i];
	vec_sort(&w->wait, by_unit_and_until);
	w->first = mem_alloc(x->model.pu.n + 1, sizeof *w->first);
	for (uint32_t i = 0; i <= x->model.pu.n; i++) {
		while (next < w->wait.n &&
		       unit_of(x, w->wait.at[next].process, w->wait.at[next].slot) < i)
			next++;
		w->first[i] = next;
	}
}

void single_waits_release(struct single_waits *w)
{
	vec_free(&w->wait);
	free(w->first);
}

size_t single_waits_find(const struct single_waits *w, uint32_t process, uint32_t slot,
			 int64_t from, int64_t to, size_t *first)
{
	const struct wait_state *at = w->wait.at;
	uint32_t unit = unit_of(w->x, process, slot);
	size_t end = w->first[unit + 1];
	*first = search_first(i, w->first[unit], end, at[i].until <= from);
	return search_first(i, *first, end, at[i].until <= to);
}
