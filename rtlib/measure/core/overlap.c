/* SPDX-License-Identifier: BSD-3-Clause */
/* overlap.c - regions that overlap: one is left while another one, which was entered later, goes
 * on. Called by the thread that runs the probes. sisc writes these probes only for regions that may
 * overlap.
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
#include "measure/counters/counter.h"
#include "output/trace/tracing.h"
#include "measure/core/drg.h"
#include "measure/core/leave.h"
#include "measure/core/thread.h"
#include "measure/core/overlap_list.h"

#include <errno.h>

static void resume(struct sis_thread *thread, struct sis_overlap going, uint64_t now)
{
	uint32_t id = sis_node_region(going.first), set = sis__region_fact(id)->set;
	bool folds;
	struct sis_node *node = sis__node_to_enter(thread, id, NULL, &folds);
	if (!node) { /* no memory: the activation ends here, and is counted as dropped */
		sis__add_extremes(going.first, going.before);
		return;
	}
	if (set && !folds)
		sis__counters_begin(thread, node, set);
	if (SIS_UNLIKELY(thread->trace != NULL))
		sis__trace_enter(thread, id, now);
	sis__enter_node(thread, node, folds, now);
	going.node = node;
	going.folds = thread->folds;
	sis__overlap_add(thread, going);
}

static void leave(struct sis_thread *thread, struct sis_activation left, uint64_t now)
{
	struct sis_overlap going[SIS_OVERLAPS], *overlap;
	uint32_t count = 0;
	while (!sis__is_same(sis__innermost(thread), left)) {
		overlap = sis__overlap_find(thread, sis__innermost(thread));
		if (!overlap) {
			sis__unwind(thread, now);
			continue;
		}
		/* the part in the current node ends, but the activation goes on */
		going[count] = *overlap;
		going[count++].before += sis__shut(thread, now);
		sis__overlap_drop(thread, overlap);
	}
	sis__close_current(thread, now);
	while (count-- > 0)
		resume(thread, going[count], now);
}

SIS_EXPORT void sis__overlap_enter(struct sis_unit *unit, struct sis_region *region)
{
	int saved = errno;
	struct sis_thread *thread = sis__thread();
	struct sis_activation before = { .node = NULL };
	if (thread)
		before = sis__innermost(thread);
	sis__enter_special(unit, region);
	thread = sis__thread();
	if (thread && !sis__is_same(sis__innermost(thread), before))
		sis__overlap_add(thread,
				 (struct sis_overlap){ thread->pub.current, thread->pub.current, 0,
						       thread->folds });
	errno = saved;
}

SIS_EXPORT void sis__overlap_leave(struct sis_region *region)
{
	uint64_t now = sis__ticks();
	int saved = errno;
	struct sis_thread *thread = sis__thread_to_leave_region(region);
	struct sis_activation left = { .node = NULL };
	bool muted = sis__unmeasured_end(thread, now);
	if (thread)
		left = sis__open_one(thread, sis__region_id(region));
	if (left.node)
		leave(thread, left, now);
	else if (thread)
		sis__mismatch(thread, sis__region_id(region));
	if (muted)
		sis__unmeasured_begin(thread, now);
	errno = saved;
}
