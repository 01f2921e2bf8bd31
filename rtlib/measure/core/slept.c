/* SPDX-License-Identifier: BSD-3-Clause */
/* slept.c - see slept.h. Called by each thread for itself. */
#include "measure/core/drg.h"
#include "measure/core/slept.h"

__thread struct sis_slept sis__slept_since __attribute__((tls_model("initial-exec")));

static bool is_above(const struct sis_node *above, const struct sis_node *node)
{
	while (node && node != above)
		node = node->parent;
	return node != NULL;
}

/* The time is subtracted first. So if the process is killed meanwhile, the time is missing, and not
 * in both nodes. */
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
	const struct sis_node *has = slept->node;
	while (has != common && has->total >= ticks)
		has = has->parent;
	if (has != common)
		return 0;
	/* `seen` is the total of an earlier time (SIS_RECORD_PHASE), so it must not become larger
	 * than the total. */
	for (struct sis_node *node = slept->node; node != common; node = node->parent) {
		node->total -= ticks;
		if (node->seen > node->total)
			node->seen = node->total;
	}
	for (struct sis_node *node = polls; node != common; node = node->parent)
		node->total += ticks;
	return ticks;
}
