/* SPDX-License-Identifier: BSD-3-Clause */
/* drg.h - the dynamic region call graph: find, make, begin and end nodes.
 * Only the thread that fills the slot calls these, or one that knows that the slot is idle.
 */
#ifndef SIS_DRG_H
#define SIS_DRG_H

#include "base/state.h"

#pragma GCC visibility push(hidden)

extern bool sis__nodes_full; /* a thread's tree has reached SIS_NODES; reported at the end */

/* -- Nodes ------------------------------------------------------------------------------------ */
struct sis_node *sis__root_new(struct sis_thread *thread);
/* The child of `parent` for region `id`, reached from `origin` (NULL: none); made if new. NULL: no
 * memory, which is counted. */
SIS_EXPORT struct sis_node *sis__child(struct sis_thread *thread, struct sis_node *parent,
				       uint32_t id, struct sis_node *origin);
/* The node of an activation that begins in the current node: a child, made if new. If *folds is
 * set, it is an open node. NULL: no memory (counted). */
struct sis_node *sis__node_to_enter(struct sis_thread *thread, uint32_t id, struct sis_node *origin,
				    bool *folds);

/* The lowest rung that nodes of the region may have. SIS_RUNG_SAMPLED: the region is the program's
 * own work and has no metrics, or it is a construct of OpenMP.
 * SIS_RUNG_FRACTION: waits of other threads follow from what happens in it, but if it is short one
 * activation is like the next: an atomic, a poll of MPI. */
enum sis_rung sis__region_lowest_rung(uint32_t id);
/* Whether the budget may turn off the region, if its lowest rung does not save enough. Of tasks it
 * turns off those that are executed where they are created. */
bool sis__region_off_in_budget(uint32_t id);
/* The region is one operation of the processor, or a question to MPI. An activation that lasts
 * longer was interrupted. */
bool sis__region_is_brief(uint32_t id);

/* -- Begin ------------------------------------------------------------------------------------ */
/* Begins an activation of a child of the current node at `now` (0: the clock is read). NULL: no
 * memory. */
SIS_EXPORT struct sis_node *sis__begin(struct sis_thread *thread, uint32_t id, uint64_t now);
/* Begins an activation of the node; its calls, metrics and events are the caller's. */
void sis__enter_node(struct sis_thread *thread, struct sis_node *node, bool folds, uint64_t now);

/* -- End -------------------------------------------------------------------------------------- */
/* Ends `node`'s innermost activation, and any still open inside it. Does nothing for NULL. */
SIS_EXPORT void sis__end(struct sis_thread *thread, struct sis_node *node, uint64_t now);
void sis__close_current(struct sis_thread *thread, uint64_t now);
void sis__close_root(struct sis_thread *thread, uint64_t now);
void sis__close_path(struct sis_thread *thread, uint64_t now); /* everything open below the root */
/* Closes what is inside the activation; false: it is not open. */
bool sis__close_to(struct sis_thread *thread, struct sis_activation to, uint64_t now);
/* Closes up to region `id`, if it is open. */
void sis__leave_path(struct sis_thread *thread, uint32_t id, uint64_t now);
void sis__unwind(struct sis_thread *thread, uint64_t now); /* closes one that was not left */
/* A leave of a region that is not open. */
void sis__mismatch(struct sis_thread *thread, uint32_t id);
/* Ends the open part of the innermost activation, without minimum and maximum. Returns its
 * ticks. */
uint64_t sis__shut(struct sis_thread *thread, uint64_t now);

/* The innermost activation waits since `from` (0: now). If it is one of those that are not timed
 * each, it is timed from then on, and stands for itself. */
static inline void sis__time_wait(struct sis_thread *thread, uint64_t from)
{
	struct sis_node *node = thread->pub.current;
	uint64_t start = node->start;
	if (SIS_LIKELY(start < SIS_START_CHOSEN))
		return;
	if (start & SIS_START_UNTIMED)
		node->start = from ? from : sis__ticks();
	else
		node->start = sis_node_start(start);
}
/* The same after a wait in a node inside, which has ended: if it was long. A sampled activation has
 * got its time already (sis__add_inside_of). */
static inline void sis__time_waited(struct sis_thread *thread, uint64_t from, uint64_t now)
{
	bool is_long = now > from && now - from >= SIS_SHORT;
	if (SIS_UNLIKELY(is_long) && thread->pub.current->start != SIS_START_SAMPLED)
		sis__time_wait(thread, from);
}

/* -- What is open ----------------------------------------------------------------------------- */
SIS_EXPORT bool sis__is_open(const struct sis_thread *thread, const struct sis_node *node);
/* The innermost open activation of a region. */
struct sis_activation sis__open_one(const struct sis_thread *thread, uint32_t id);

/* -- Time that was measured elsewhere --------------------------------------------------------- */
/* Adds an activation of `ticks` of region `id` below `parent`. */
SIS_EXPORT void sis__book(struct sis_thread *thread, struct sis_node *parent, uint32_t id,
			  uint64_t ticks);
/* The same for an activation from `from` to `to`. It is traced as well if `parent` is the current
 * node. Returns its node; NULL: no memory. */
SIS_EXPORT struct sis_node *sis__book_span(struct sis_thread *thread, struct sis_node *parent,
					   uint32_t id, uint64_t from, uint64_t to);

#pragma GCC visibility pop
#endif
