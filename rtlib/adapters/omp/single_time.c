/* SPDX-License-Identifier: BSD-3-Clause */
/* single_time.c - how long a member of a team worked in code that only it executes: single, masked,
 * one of the sections. Called by the member itself, until the join.
 *
 * A single begins when libgomp selects the member, a section when libgomp assigns it. A section
 * ends with the next call for a section, a single with its node in the source, and otherwise both
 * end at the next barrier. The time from the creation of a task until the wait for the task is left
 * out, because other members may execute the task.
 * LIMIT: a single nowait in code that sisc did not compile seems to last until the next barrier.
 * A masked construct makes no call of libgomp. So its time is read from its node in the tree,
 * without the part between the creation of a task and the wait for it.
 * LIMIT: a masked construct is found only if its parent is still open at the barrier, and if sisc
 * compiled the code.
 */
#include "adapters/omp/omp_team.h"

/* At most this many children are searched, to limit the cost. A region's own constructs are fewer.
 */
#define RING 64

static uint64_t min(uint64_t a, uint64_t b) { return a < b ? a : b; }

static bool is_open(const struct sis_thread *thread, const struct sis_node *node,
		    const struct sis_node *outermost)
{
	struct sis_activation at = sis__innermost(thread);
	while (at.node != node && at.node != outermost && at.node != thread->pub.root)
		at = sis__outer(thread, at);
	return at.node == node;
}

void sis__single_begin(struct sis_team *me, uint64_t now)
{
	if (me->fork->size < 2 || !me->thread)
		return;
	sis__single_end(me, now);
	struct sis_node *current = me->thread->pub.current;
	bool known = sis__region_fact(sis_node_region(current))->type == CR_OMPSINGLE;
	if (known) /* other members may wait for the construct, so each activation is timed */
		sis__time_wait(me->thread, now);
	me->single_start = now;
	me->single_node = known ? current : NULL;
	me->single_total = current->total;
	me->single_suspended = false;
}

void sis__single_end(struct sis_team *me, uint64_t now)
{
	if (!me->single_start)
		return;
	if (me->single_node && !is_open(me->thread, me->single_node, me->par))
		me->single += me->single_node->total - me->single_total;
	else if (now > me->single_start)
		me->single += now - me->single_start;
	me->single_start = 0;
}

void sis__single_end_reported(struct sis_team *me, uint64_t now)
{
	sis__single_end(me, now);
	me->single_suspended = false;
}

/* -- masked constructs that create tasks, if no callbacks report masked constructs ------------- */

/* The innermost open masked construct; NULL: there is none. */
static struct sis_node *masked_open(const struct sis_team *me)
{
	struct sis_activation at = sis__innermost(me->thread);
	while (at.node != me->par && at.node != me->thread->pub.root) {
		if (sis__region_fact(sis_node_region(at.node))->type == CR_OMPMASKED)
			return at.node;
		at = sis__outer(me->thread, at);
	}
	return NULL;
}

static uint64_t total_until(const struct sis_team *me, const struct sis_node *node, uint64_t now)
{
	uint64_t start = sis_node_start(node->start);
	return node->total + (is_open(me->thread, node, me->par) && now > start ? now - start : 0);
}

static void shared_end(struct sis_team *me, uint64_t now)
{
	if (!me->shared_node || me->task_depth)
		return;
	me->shared += total_until(me, me->shared_node, now) - me->shared_total;
	me->shared_node = NULL;
}

/* -- creating tasks, and waiting for them ------------------------------------------------------ */

void sis__single_suspend(struct sis_team *me)
{
	if (me->single_start) {
		sis__single_end(me, sis__ticks());
		me->single_suspended = true;
	}
	if (me->shared_node || me->task_depth || me->fork->reports_masked || me->fork->size < 2 ||
	    !me->thread || !me->par)
		return;
	me->shared_node = masked_open(me);
	if (me->shared_node)
		me->shared_total = total_until(me, me->shared_node, sis__ticks());
}

void sis__single_resume(struct sis_team *me)
{
	struct sis_node *node = me->single_node;
	if (me->single_suspended && !me->task_depth &&
	    (!node || is_open(me->thread, node, me->par))) {
		me->single_start = sis__ticks();
		me->single_suspended = false;
		if (node)
			me->single_total = node->total +
					   (me->single_start - sis_node_start(node->start));
	}
	if (me->shared_node)
		shared_end(me, sis__ticks());
}

/* -- masked constructs, read from the tree ----------------------------------------------------- */

/* The entry with `node`'s total at the last barrier. In a new entry, `total` is UINT64_MAX. */
static struct sis_masked *masked_find(struct sis_team *me, struct sis_node *node)
{
	struct sis_masked *entry = &me->masked[0];
	for (unsigned i = 0; i < SIS_MASKED; i++) {
		if (me->masked[i].node == node)
			return &me->masked[i];
		if (!me->masked[i].node)
			entry = &me->masked[i];
	}
	entry->node = node;
	entry->total = UINT64_MAX;
	return entry;
}

/* Ticks of a masked construct since the last barrier, including those of sampled activations. */
static uint64_t masked_ticks(struct sis_team *me, struct sis_node *node, uint64_t now)
{
	struct sis_masked *last = masked_find(me, node);
	uint64_t ticks = 0, start = sis_node_start(node->start), total = node->total;
	/* pairs with the store of the rung (measure/sampling/rungs.c); the sampler adds to it */
	const struct sis_estimate *estimate = __atomic_load_n(&node->estimate, __ATOMIC_ACQUIRE);
	if (estimate)
		total += __atomic_load_n(&estimate->sampled, __ATOMIC_RELAXED);
	if (last->total != UINT64_MAX)
		ticks = total - last->total;
	else if (start >= me->phase_start && now > start)
		/* a new entry gets the time of its last activation */
		ticks = min(min(total, node->max), now - start);
	last->total = total;
	return ticks;
}

/* Ticks of all masked constructs directly below `parent`. */
static uint64_t masked_below(struct sis_team *me, const struct sis_node *parent, uint64_t now)
{
	uint64_t ticks = 0;
	struct sis_node *node = parent->last_child;
	for (uint32_t i = 0; i < parent->children && i < RING; i++, node = node->next)
		if (sis__region_fact(sis_node_region(node))->type == CR_OMPMASKED)
			ticks += masked_ticks(me, node, now);
	return ticks;
}

void sis__single_find_open(struct sis_team *me)
{
	if (me->fork->size > 1 && !me->fork->reports_masked)
		masked_below(me, me->par, 0);
}

void sis__single_reset(struct sis_team *me, uint64_t now)
{
	me->phase_start = now;
	me->single = 0;
	me->single_start = 0;
	me->single_suspended = false;
	me->shared_node = NULL;
	me->shared = 0;
	me->task_ticks = 0;
}

uint64_t sis__single_total(struct sis_team *me, uint64_t now)
{
	if (me->fork->size < 2 || !me->thread || !me->par)
		return 0;
	sis__single_end(me, now);
	if (me->fork->reports_masked)
		return me->single;
	uint64_t masked = 0;
	struct sis_activation at = sis__innermost(me->thread);
	while (at.node != me->par && at.node != me->thread->pub.root) {
		masked += masked_below(me, at.node, now);
		at = sis__outer(me->thread, at);
	}
	if (at.node == me->par)
		masked += masked_below(me, at.node, now);
	shared_end(me, now);
	me->single += masked - min(masked, me->shared);
	return me->single;
}
