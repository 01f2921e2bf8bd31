/* SPDX-License-Identifier: BSD-3-Clause */
/* omp_wait.c - divides the waits at a barrier into loss of parallelism and imbalance. Uses only the
 * team's arrivals. Called by any thread for a barrier or a join.
 *
 * The idea: between two arrivals the set of members that still work does not change.
 *
 *     member 0  ====|...........................        = works   . waits
 *     member 1  ==============|.................
 *     member 2  ================================|
 *                   |interval1|   interval 2    |
 *                   1 and 2 work,   2 works
 *
 * An interval counts as loss of parallelism only as far as each of its workers has spent time in
 * code that no other member executed (single, masked, one of the sections), because this time made
 * the worker late. The same time is charged only once.
 */
#include "adapters/omp/omp_wait.h"

/* Shell's sort, because qsort may allocate, and malloc may be the program's. */
static void sort_by_time(struct sis_arrival *arrival, unsigned count)
{
	for (unsigned gap = count / 2; gap; gap /= 2)
		for (unsigned i = gap; i < count; i++) {
			struct sis_arrival moved = arrival[i];
			unsigned k = i;
			for (; k >= gap && arrival[k - gap].at > moved.at; k -= gap)
				arrival[k] = arrival[k - gap];
			arrival[k] = moved;
		}
}

void sis__wait_split(struct sis_arrival *arrival, unsigned count)
{
	uint64_t unpar = 0, part = 0; /* charged so far */
	sort_by_time(arrival, count);
	for (unsigned i = 0; i < count; i++) {
		struct sis_arrival *worker = arrival + i + 1;
		unsigned workers = count - 1 - i;
		/* Stores what was charged before the member arrived; this is subtracted at the end.
		 */
		arrival[i].unpar = unpar;
		arrival[i].part = part;
		if (!workers)
			break;
		/* How much of the interval can be charged to each of its workers. */
		uint64_t ticks = worker->at - arrival[i].at;
		for (unsigned k = 0; k < workers; k++)
			ticks = worker[k].single < ticks ? worker[k].single : ticks;
		for (unsigned k = 0; k < workers; k++)
			worker[k].single -= ticks;
		*(workers == 1 ? &unpar : &part) += ticks;
	}
	for (unsigned i = 0; i < count; i++) {
		arrival[i].unpar = unpar - arrival[i].unpar;
		arrival[i].part = part - arrival[i].part;
	}
}
