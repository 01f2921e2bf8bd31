/* SPDX-License-Identifier: BSD-3-Clause */
/* jump.c - when setjmp returns again, closes all activations that began since its first return.
 * Called by the thread that jumps, in code that sisc compiled.
 */
#include "measure/core/drg.h"
#include "measure/core/thread.h"

#include <errno.h>

/* The number of mutes in force that end at the end of a block of the source. */
static uint32_t muted_in_blocks(const struct sis_local *local)
{
	return local->muted > local->paused ? local->muted - local->paused : 0;
}

/* longjmp leaves regions and blocks without their probes. So this closes the activations, and ends
 * the mutes of blocks. A pause by SIS_PAUSE stays in force, because it does not end at the end of a
 * block. If the activation of the mark is no longer open, control came from another stack, and it
 * is not known which regions were left. */
static void return_to(struct sis__mark mark)
{
	struct sis_local *local = &sis__local;
	struct sis_thread *thread = local->own;
	struct sis_activation at = { mark.node, mark.folds };
	int saved = errno;
	if (!thread || !mark.node || !sis__store_is_live() ||
	    !sis__close_to(thread, at, sis__ticks()))
		return;
	if (muted_in_blocks(local) > mark.muted)
		local->muted = mark.muted + local->paused;
	if (local->skipped > mark.skipped)
		local->skipped = mark.skipped;
	if (local->muted)
		sis__unmeasured_begin(thread, sis__ticks());
	else
		sis__pause_over(thread, sis__ticks());
	sis__refresh();
	errno = saved;
}

SIS_EXPORT void sis_jump_mark(volatile struct sis__mark *mark, int again)
{
	const struct sis_local *local = &sis__local;
	struct sis_activation at = { .node = NULL };
	if (again) {
		return_to(*mark);
		return;
	}
	if (local->own)
		at = sis__innermost(local->own);
	if (at.node && sis_node_region(at.node) == RT_UNMEASURED)
		at = sis__outer(local->own, at);
	*mark = (struct sis__mark){ at.node, at.folds, muted_in_blocks(local), local->skipped };
}
