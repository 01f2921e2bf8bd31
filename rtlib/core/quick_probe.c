/* SPDX-License-Identifier: BSD-3-Clause */
/* quick_probe.c - two frequent cases that the probes of gates leave to the runtime: a child that is
 * neither the one entered last nor the next one, and a timed activation of a region in its own node
 * (fold.h). The thread that runs the probe.
 *
 * The slow paths of probe.c may change all registers. So a gate that calls them saves the vector
 * registers and looks at the state of the x87 registers, which takes longer than either of these
 * cases. This file is compiled without vector and x87 registers (module.mk), so that a gate saves
 * only general registers. The only call in its text is that of sis__clock_slow, which is never
 * executed, because both functions return at once if the clock is another one.
 *
 * A thread that is not measured, or that traces, has the empty state here. Its current node has no
 * region and no children, so the slow path follows.
 */
#include "core/children.h"
#include "core/fold.h"

/* The node of an activation that begins, which the probe begins. SIS__FOLDED: the activation has
 * begun. NULL: the slow path follows. */
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

/* False: the slow path follows. */
SIS_EXPORT int sis__leave_quickly(unsigned id)
{
	struct sis_thread *thread = (struct sis_thread *)sis__self;
	return SIS_LIKELY(sis__clock_is_tsc) &&
	       thread->pub.current->region == (id | SIS_NODE_FOLDS) && sis__fold_leave(thread);
}
