/* SPDX-License-Identifier: BSD-3-Clause */
/* jump.c - closes what was entered since setjmp returned first, when it returns again. The thread
 * that jumps, in code that sisc compiled.
 */
#include "core/drg.h"
#include "core/thread.h"

#include <errno.h>

/* How many of the mutes in force end with their block. */
static uint32_t muted_in_blocks(const struct sis_local *local)
{
	return local->muted > local->paused ? local->muted - local->paused : 0;
}

static struct sis__mark mark_now(const struct sis_local *local)
{
	struct sis_activation at = { .node = NULL };
	if (local->own)
		at = sis__innermost(local->own);
	if (at.node && sis_node_region(at.node) == RT_UNMEASURED)
		at = sis__outer(local->own, at);
	return (struct sis__mark){ at.node, at.folds, muted_in_blocks(local), local->skipped };
}

/* What longjmp leaves has no probe at its end. A pause by SIS_PAUSE stays in force, because it does
 * not end with a block. If the activation of the mark is not open any more, control came from
 * another stack, and it is not known what was left. */
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
	if (again)
		return_to(*mark);
	else
		*mark = mark_now(&sis__local);
}

/* Units with probes before version 3 do not say which activation of the node it was: the innermost
 * one is taken. */
SIS_EXPORT void sis_jump(volatile struct sis__jump *jump, int again)
{
	struct sis__mark mark = mark_now(&sis__local);
	if (!again) {
		*jump = (struct sis__jump){ mark.node, mark.muted, mark.skipped };
		return;
	}
	struct sis_activation at = { mark.node, mark.folds };
	while (at.node && at.node != jump->node)
		at = sis__outer(sis__local.own, at);
	return_to((struct sis__mark){ at.node, at.folds, jump->muted, jump->skipped });
}
