/* SPDX-License-Identifier: BSD-3-Clause */
/* omp_wait.c - splits the waits at a barrier into loss of parallelism and imbalance. Any thread
 * calls it for a barrier or a join. A pure function of the team's arrivals.
 *
 * Its idea: between two arrivals the set of members that still work does not change.
 *
 *     member 0  ====|...........................        = works   . waits
 *     member 1  ==============|.................
 *     member 2  ================================|
 *                   | window 1|    window 2     |
 *                   1 and 2 work,   2 works
 *
 * A window is loss of parallelism only as far as each of its workers spent time in code that no
 * other member executed (single, masked, one of the sections): that time made them late. The same
 * time is charged only once.
 */
#include "omp/omp_wait.h"

/* Shell's sort: qsort may allocate, and malloc may be the program's. */
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

/* How much of a window of `ticks` can be charged to every one of its workers. Subtracts it from
 * their `single`. */
static uint64_t charge(struct sis_arrival *worker, unsigned workers, uint64_t ticks)
{
	for (unsigned i = 0; i < workers; i++)
		if (worker[i].single < ticks)
			ticks = worker[i].single;
	for (unsigned i = 0; i < workers; i++)
		worker[i].single -= ticks;
	return ticks;
}

void sis__wait_split(struct sis_arrival *arrival, unsigned count)
{
	uint64_t unpar = 0, part = 0; /* charged so far */
	sort_by_time(arrival, count);
	for (unsigned i = 0; i < count; i++) {
		unsigned workers = count - 1 - i;
		/* At first, what was charged before the member arrived. */
		arrival[i].unpar = unpar;
		arrival[i].part = part;
		if (workers) {
			uint64_t ticks = charge(arrival + i + 1, workers,
						arrival[i + 1].at - arrival[i].at);
			*(workers == 1 ? &unpar : &part) += ticks;
		}
	}
	for (unsigned i = 0; i < count; i++) {
		arrival[i].unpar = unpar - arrival[i].unpar;
		arrival[i].part = part - arrival[i].part;
	}
}
