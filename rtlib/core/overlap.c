/* SPDX-License-Identifier: BSD-3-Clause */
/* overlap.c - regions that overlap: one is left while another one, which was entered later, goes
 * on. The thread that runs the probes. sisc writes these probes only for regions that may overlap.
 *
 *        A { B            A { B }            A { B } B'
 *            left is A:   A and B's part end, and B goes on as B' below A's parent
 *
 * B and B' are one activation. The node of B counts it, and has its minimum and maximum, over the
 * time of both parts. The time of each part, and its metrics, are in the part's own node.
 *
 * LIMIT: if more than SIS_OVERLAPS such activations are open in a thread, as in a deep recursion,
 * those entered last end when one around them is left, and are counted as unbalanced.
 */
#include "counters/counter.h"
#include "trace/tracing.h"
#include "core/drg.h"
#include "core/leave.h"
#include "core/thread.h"
#include "core/overlap_list.h"

#include <errno.h>

/* Ends the current node's part of an activation that goes on. */
static struct sis_overlap suspend(struct sis_thread *thread, struct sis_overlap *overlap,
				  uint64_t now)
{
	struct sis_overlap going = *overlap;
	going.before += sis__shut(thread, now);
	sis__overlap_drop(thread, overlap);
	return going;
}

static void resume(struct sis_thread *thread, struct sis_overlap going, uint64_t now)
{
	uint32_t id = sis_node_region(going.first), set = sis__region_fact(id)->set;
	bool folds;
	struct sis_node *node = sis__node_to_enter(thread, id, NULL, &folds);
	if (!node) { /* it is counted as dropped; its leave will not match */
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
	while (!sis__is_same(sis__innermost(thread), left))
		if ((overlap = sis__overlap_find(thread, sis__innermost(thread))))
			going[count++] = suspend(thread, overlap, now);
		else
			sis__unwind(thread, now);
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
