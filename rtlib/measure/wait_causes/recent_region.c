/* SPDX-License-Identifier: BSD-3-Clause */
/* recent_region.c - in which node a thread was in a recent interval. Called by this thread itself,
 * or by a thread that has waited for it.
 *
 * A tree has only sums, and for each node the start of its last activation. This is enough for the
 * recent past. If a node had only one activation, the end of this activation is known. If it had
 * many, its part of the time is assumed to be the same as in the whole run.
 *
 *     since          now
 *       |== work ====|=|        main was open, and its child work was entered once:
 *                               nearly all of the time was in work
 *
 * The search begins at the innermost node that was open all the time. It goes down to the child
 * with most of the time. It ends at a node whose exclusive time is at least as long as the time of
 * each of its children.
 */
#include "base/slot_table.h"
#include "base/ticks.h"
#include "measure/wait_causes/culprit.h"

enum { RING = 64, DEPTH = 64 }; /* limits of the cost */

/* The other thread changes its nodes meanwhile, as when the file of a running process is read. Each
 * word is right for some moment, and nothing more is assumed. Nodes do not move. */
#define FROM_OUTSIDE __attribute__((no_sanitize("thread")))

struct stretch { uint64_t from, to; }; /* ticks */

static uint64_t length(struct stretch s) { return s.to > s.from ? s.to - s.from : 0; }
FROM_OUTSIDE static uint64_t begin_of(const struct sis_node *node)
{
	return sis_node_start(node->start); /* if it is not known: later than all times */
}

/* Returns when the last activation of a closed node ended, at the latest at the end of `around`.
 * The result is exact if the node had only one activation. */
FROM_OUTSIDE static uint64_t end_of(const struct sis_node *node, struct stretch around)
{
	uint64_t ticks = node->calls == 1 ? node->total : node->max;
	uint64_t begin = begin_of(node);
	return begin < around.to && ticks < around.to - begin ? begin + ticks : around.to;
}

/* Returns the ticks of a child within a stretch of its parent. */
FROM_OUTSIDE static uint64_t part_of(const struct sis_node *child, const struct sis_node *parent,
				     bool open, struct stretch s, uint64_t now)
{
	uint64_t begin = begin_of(child), from = begin > s.from ? begin : s.from;
	uint64_t last = length((struct stretch){ from, end_of(child, s) });
	uint64_t all = parent->total + (open ? now - begin_of(parent) : 0);
	if (child->calls == 1 || all == 0)
		return last;
	uint64_t like_ever = sis__share(length(s), child->total, all);
	return like_ever > last ? like_ever : last;
}

struct way { const struct sis_thread *thread; uint64_t now; bool exact; };

/* The open child of an open node; NULL: `node` is the current node. */
FROM_OUTSIDE static struct sis_node *open_child(const struct way *w, const struct sis_node *node)
{
	struct sis_node *at = w->thread->pub.current;
	while (at != node && at->parent && at->parent != node)
		at = at->parent;
	return at == node ? NULL : at;
}

/* Goes from `*node`, in which the thread was during `*s`, to the child with most of that time.
 * False: most of the time was in the node itself. */
FROM_OUTSIDE static bool descend(struct way *w, struct sis_node **node, struct stretch *s,
				 bool *open)
{
	struct sis_node *inner = *open ? open_child(w, *node) : NULL, *best = NULL,
			*child = (*node)->last_child;
	uint64_t own = length(*s), most = 0;
	for (uint32_t i = 0; i < (*node)->children && i < RING; i++, child = child->next) {
		uint64_t begin = begin_of(child);
		uint64_t part = child != inner
					? part_of(child, *node, *open, *s, w->now)
					: length((struct stretch){
						  begin > s->from ? begin : s->from, s->to });
		own = own > part ? own - part : 0;
		if (part > most) {
			most = part;
			best = child;
		}
	}
	if (most <= own)
		best = NULL;
	w->exact &= (best ? most : own) >= length(*s) - length(*s) / 10 &&
		    (!best || best == inner || best->calls == 1);
	if (!best)
		return false;
	uint64_t begin = begin_of(best);
	*open = best == inner;
	s->to = *open ? s->to : end_of(best, *s);
	s->from = begin > s->from ? begin : s->from;
	*node = best;
	return true;
}

/* The thread of the slot runs while this reads its nodes, so it may have ended these activations
 * already. */
struct sis_where sis__region_between(uint32_t slot, struct sis_node *node, uint64_t from,
				     uint64_t to)
{
	const struct sis_thread *thread = slot < SIS_SLOTS ? sis__slot(slot) : NULL;
	struct way w = { thread, to, true };
	struct stretch s = { from, to };
	bool open = true;
	for (int depth = 0; thread && depth < DEPTH && descend(&w, &node, &s, &open); depth++)
		;
	return (struct sis_where){ node, w.exact ? 0 : SIS_CULPRIT_ESTIMATED };
}

struct sis_where sis__recent_region(const struct sis_thread *thread, uint64_t since, uint64_t now)
{
	struct way w = { thread, now, true };
	struct sis_node *node = thread->pub.current;
	while (node->parent && begin_of(node) > since)
		node = node->parent;
	bool open = true;
	struct stretch s = { since > begin_of(node) ? since : begin_of(node), now };
	for (int depth = 0; depth < DEPTH && length(s) && descend(&w, &node, &s, &open); depth++)
		;
	return (struct sis_where){ node, w.exact ? 0 : SIS_CULPRIT_ESTIMATED };
}

/* -- from outside ------------------------------------------------------------------------------ */

FROM_OUTSIDE struct sis_snapshot sis__snapshot(uint32_t slot)
{
	const struct sis_thread *other = slot < SIS_SLOTS ? sis__slot(slot) : NULL;
	struct sis_node *node = other ? *(struct sis_node *const volatile *)&other->pub.current
				      : NULL;
	if (!node)
		return (struct sis_snapshot){ .slot = SIS_NO_SLOT };
	return (struct sis_snapshot){ slot, node, node->calls, node->total, node->start };
}

/* If the activation of the first snapshot has ended since then, the node's total has grown by the
 * length of this activation. */
FROM_OUTSIDE struct sis_where sis__snapshot_compare(const struct sis_snapshot *first, uint64_t from,
						    uint64_t now)
{
	const volatile struct sis_node *node = first->node;
	uint64_t ticks = node->total - first->total, end = ticks ? first->start + ticks : now;
	bool there = node->calls == first->calls && end >= now - (now - from) / 10;
	return (struct sis_where){ first->node, there ? 0 : SIS_CULPRIT_ESTIMATED };
}
