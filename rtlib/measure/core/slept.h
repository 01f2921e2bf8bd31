/* SPDX-License-Identifier: BSD-3-Clause */
/* slept.h - how long a thread has slept since its last poll. A loop that sleeps between polls in
 * vain waits all the time, so the time asleep is moved to the node of the polls. Called by the
 * thread that slept.
 */
#ifndef SIS_SLEPT_H
#define SIS_SLEPT_H

#include "base/runtime.h"

struct sis_slept {
	const struct sis_thread *thread;
	struct sis_node *node; /* the node RT_ASLEEP in which the thread slept last */
	uint64_t ticks;        /* asleep in `node` since sis__slept_forget; 0: it did not sleep */
};
extern SIS_EXPORT __thread struct sis_slept sis__slept_since
	__attribute__((tls_model("initial-exec")));

static inline void sis__slept_add(const struct sis_thread *thread, struct sis_node *node,
				  uint64_t ticks)
{
	struct sis_slept *slept = &sis__slept_since;
	if (slept->thread != thread || slept->node != node)
		*slept = (struct sis_slept){ thread, node, 0 };
	slept->ticks += ticks;
}

static inline void sis__slept_forget(void)
{
	sis__slept_since.ticks = 0;
}

/* Moves at most `most` ticks asleep to `polls`, the node of the polls, which must not be open.
 * Returns how many ticks were moved. */
SIS_EXPORT uint64_t sis__slept_move(const struct sis_thread *thread, struct sis_node *polls,
				    uint64_t most);

#endif
