/* SPDX-License-Identifier: BSD-3-Clause */
/* slept.c - see slept.h. Each thread for itself. */
#include "core/drg.h"
#include "core/slept.h"

__thread struct sis_slept sis__slept_since __attribute__((tls_model("initial-exec")));

static bool is_above(const struct sis_node *above, const struct sis_node *node)
{
	while (node && node != above)
		node = node->parent;
	return node != NULL;
}

/* Time of an activation that has ended becomes shorter; `seen` (SIS_RECORD_PHASE) with it. */
static void take(struct sis_node *node, const struct sis_node *end, uint64_t ticks)
{
	for (; node != end; node = node->parent) {
		node->total -= ticks;
		if (node->seen > node->total)
			node->seen = node->total;
	}
}

static bool have(const struct sis_node *node, const struct sis_node *end, uint64_t ticks)
{
	while (node != end && node->total >= ticks)
		node = node->parent;
	return node == end;
}

/* In the file of a process that is killed meanwhile, the time is in one of them at most. */
SIS_EXPORT uint64_t sis__slept_move(const struct sis_thread *thread, struct sis_node *polls,
				    uint64_t most)
{
	struct sis_slept *slept = &sis__slept_since;
	uint64_t ticks = slept->ticks < most ? slept->ticks : most;
	const struct sis_node *common = slept->node;
	sis__slept_forget();
	if (slept->thread != thread || !ticks)
		return 0;
	while (!is_above(common, polls))
		common = common->parent;
	if (!have(slept->node, common, ticks))
		return 0;
	take(slept->node, common, ticks);
	for (struct sis_node *node = polls; node != common; node = node->parent)
		node->total += ticks;
	return ticks;
}
