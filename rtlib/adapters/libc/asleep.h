/* SPDX-License-Identifier: BSD-3-Clause */
/* asleep.h - when a thread sleeps, or waits for something outside of the program (RT_ASLEEP).
 * sleeps.c has functions that only wait, transfers.c has functions that also move data, and
 * asleep.c has what both share. Called by the thread itself, in signal handlers, too; keeps errno.
 *
 * If libraries of MPI and OpenMP sleep while they wait, the sleep is a part of their wait. So time
 * asleep has a node of its own only below regions whose time is work of the program, and below
 * calls of input and output.
 */
#ifndef SIS_ASLEEP_H
#define SIS_ASLEEP_H

#include "base/config.h"
#include "base/state.h"

#pragma GCC visibility push(hidden)

/* The calling thread, if it is measured and has had a region; else NULL. */
static inline struct sis_thread *sis__measured(void)
{
	struct sis_thread *thread = (struct sis_thread *)sis__self;
	return SIS_UNLIKELY(thread == &sis__empty) ? sis__local.traced : thread;
}

/* Whether a call that waits for something outside of the program gets a node of its own in the
 * current region. */
static inline bool sis__works(const struct sis_thread *thread)
{
	const struct sis_region_fact *fact =
		sis__region_fact(sis_node_region(thread->pub.current));
	bool works = sis_region_table[fact->type].leaf == O_NONE &&
		fact->routine == SIS_MPI_ROUTINES;
	return works || sis_region_in(fact->type, CR_IO);
}

/* The calling thread, if a call that sleeps gets a node of its own; else NULL. */
static inline struct sis_thread *sis__sleeper(void)
{
	struct sis_thread *thread = sis__config.asleep ? sis__measured() : NULL;
	/* a forked child has no file yet, or a thread without probes no slot */
	if (!thread && (sis__local.own || sis__measures_all) && sis__config.asleep)
		thread = sis__thread_slow();
	return thread && sis__works(thread) ? thread : NULL;
}

/* Called around a call that waits. The result is NULL if there is no memory. */
struct sis_node *sis__sleep_begin(struct sis_thread *thread);
void sis__sleep_end(struct sis_thread *thread, struct sis_node *node);
/* Adds the time between the two ticks, in which the thread slept in a call that has ended. */
void sis__slept(struct sis_thread *thread, uint64_t from, uint64_t to);

#pragma GCC visibility pop
#endif
