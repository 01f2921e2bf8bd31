/* SPDX-License-Identifier: BSD-3-Clause */
/* overlap_list.c - the open activations of a thread that may go on when an activation around them
 * ends (overlap.c). Called by the thread that fills the slot.
 */
#include "measure/core/overlap_list.h"

struct sis_overlap *sis__overlap_find(struct sis_thread *thread, struct sis_activation at)
{
	for (uint32_t i = thread->overlaps; i-- > 0;)
		if (thread->overlap[i].node == at.node && thread->overlap[i].folds == at.folds)
			return &thread->overlap[i];
	return NULL;
}

/* If there is no room, the activation ends when an activation around it is left. */
void sis__overlap_add(struct sis_thread *thread, struct sis_overlap overlap)
{
	if (thread->overlaps < SIS_OVERLAPS)
		thread->overlap[thread->overlaps++] = overlap;
}

void sis__overlap_drop(struct sis_thread *thread, struct sis_overlap *overlap)
{
	struct sis_overlap *last = &thread->overlap[--thread->overlaps];
	for (; overlap < last; overlap++)
		overlap[0] = overlap[1];
}

void sis__overlap_finish(struct sis_thread *thread, struct sis_activation ended, uint64_t ticks)
{
	struct sis_overlap *overlap = sis__overlap_find(thread, ended);
	if (ticks != SIS_NO_TICKS)
		sis__add_extremes(overlap ? overlap->first : ended.node,
				  overlap ? overlap->before + ticks : ticks);
	if (overlap)
		sis__overlap_drop(thread, overlap);
}
