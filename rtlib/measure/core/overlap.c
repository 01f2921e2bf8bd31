/* SPDX-License-Identifier: BSD-3-Clause */
/* overlap.c - regions that overlap: one is left while another one, which was entered later, goes
 * on. Called by the thread that runs the probes. sisc writes these probes only for regions that may
 * overlap. Regions of annotations may overlap each other and any function, because a program may
 * begin and end them in functions that it made for this purpose.
 *
 *        A { B                      A is entered, then B
 *        A { B }                    A is left: A and the first part of B end
 *        A { B } B'                 B goes on as B', in a node below A's parent
 *
 * B and B' are one activation. The node of B counts this activation, and the time of both parts
 * together enters the minimum and maximum of this node. The time and the metrics of each part are
 * in the part's own node.
 *
 * LIMIT: if more than SIS_OVERLAPS such activations are open in a thread, as in a deep recursion,
 * those that were entered last end when an activation around them is left, and are counted as
 * unbalanced.
 */
#include "measure/patch/region_switch.h"
#include "measure/core/drg.h"
#include "measure/core/leave.h"
#include "measure/core/thread.h"
#include "measure/core/overlap.h"
#include "measure/core/overlap_list.h"

#include <errno.h>

/* The innermost activation; without a node if the thread is not measured. */
static struct sis_activation innermost(void)
{
	struct sis_thread *thread = sis__thread();
	return thread ? sis__innermost(thread) : (struct sis_activation){ .node = NULL };
}

/* Adds the innermost activation to the list, unless it is the same as `before`: then the region was
 * not entered. */
static void list_new(struct sis_activation before, bool stays)
{
	struct sis_activation new = innermost();
	if (new.node && !sis__is_same(new, before))
		sis__overlap_add(sis__thread(),
				 (struct sis_overlap){ .node = new.node, .first = new.node,
						       .folds = new.folds, .stays = stays });
}

/* Leaves region `id`; 0: it is not registered. */
static void leave(uint32_t id, enum sis_going what)
{
	struct sis_thread *thread = id ? sis__thread_to_leave() : NULL;
	if (!thread) /* reading the clock may be forbidden (process/confine.c) */
		return;
	uint64_t now = sis__ticks();
	bool muted = sis__unmeasured_end(thread, now);
	struct sis_activation left = sis__open_one(thread, id);
	if (left.node)
		sis__end_one(thread, left, what, now);
	else
		sis__mismatch(thread, id);
	if (muted)
		sis__unmeasured_begin(thread, now);
}

SIS_EXPORT void sis__overlap_enter(struct sis_unit *unit, struct sis_region *region)
{
	int saved = errno;
	struct sis_activation before = innermost();
	sis__enter_special(unit, region);
	list_new(before, false);
	errno = saved;
}

SIS_EXPORT void sis__overlap_leave(struct sis_region *region)
{
	int saved = errno;
	leave(sis__region_is_registered(region) ? sis__region_id(region) : 0,
	      SIS_OVERLAPPING_GO_ON);
	errno = saved;
}

/* -- annotations ------------------------------------------------------------------------------- */

SIS_EXPORT void sis__annotation_enter(struct sis_region *region)
{
	int saved = errno;
	struct sis_activation before = innermost();
	sis__far_enter(NULL, region);
	list_new(before, true);
	errno = saved;
}

/* If the activation is the innermost one and has one part, it is left as by any probe, so that it
 * may have any rung. */
SIS_EXPORT void sis__annotation_leave(struct sis_region *region)
{
	int saved = errno;
	uint32_t id = sis__region_number(region);
	struct sis_activation at = innermost();
	struct sis_thread *thread = at.node ? sis__thread() : NULL;
	struct sis_overlap *listed = thread ? sis__overlap_find(thread, at) : NULL;
	if (listed && listed->node == listed->first && sis_node_region(at.node) == id) {
		sis__overlap_drop(thread, listed);
		sis__far_leave(region);
	} else {
		leave(id, SIS_ALL_GO_ON);
	}
	errno = saved;
}
