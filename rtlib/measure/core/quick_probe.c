/* SPDX-License-Identifier: BSD-3-Clause */
/* quick_probe.c - two frequent cases that the probes of gates leave to the runtime. One is a child
 * that is neither the child entered last nor the next one. The other is a timed activation of a
 * region in its own node (fold.h). Called by the thread that runs the probe.
 *
 * The slow paths of probe.c may change all registers. So a gate that calls them saves the vector
 * registers and looks at the state of the x87 registers, which takes longer than either of these
 * cases. This file is compiled without vector and x87 registers (module.mk), so that a gate saves
 * only general registers. Its only call is that of sis__clock_slow, which is never executed: both
 * functions return at once if the clock is not the time-stamp counter.
 *
 * If a thread is not measured, or traces, sis__self points to the empty thread. The current node of
 * the empty thread has no region and no children, so the slow path follows.
 */
#include "measure/core/children.h"
#include "measure/core/fold.h"

/* Returns the node in which the probe begins the activation. SIS__FOLDED: the activation has begun
 * already. NULL: the slow path follows. */
SIS_EXPORT struct sis__node *sis__enter_quickly(unsigned id)
{
	struct sis_thread *thread = (struct sis_thread *)sis__self;
	if (SIS_UNLIKELY(!sis__clock_is_tsc))
		return NULL;
	if (sis__fold_enter(thread, id))
		return SIS__FOLDED;
	struct sis_node *node = sis__known_child(thread, thread->pub.current, id, NULL);
	if (!node || SIS_UNLIKELY(node->region != id))
		return NULL;
	thread->pub.probes++;
	return (struct sis__node *)node;
}

/* Leaves the region. False: nothing was done, and the slow path follows. */
SIS_EXPORT int sis__leave_quickly(unsigned id)
{
	struct sis_thread *thread = (struct sis_thread *)sis__self;
	return SIS_LIKELY(sis__clock_is_tsc) &&
	       thread->pub.current->region == (id | SIS_NODE_FOLDS) && sis__fold_leave(thread);
}
