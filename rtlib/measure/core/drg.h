/* SPDX-License-Identifier: BSD-3-Clause */
/* drg.h - the dynamic region call graph: finds and makes nodes, begins and ends their activations.
 * Only the thread that fills the slot calls these functions, or a thread that knows that the slot
 * is idle.
 */
#ifndef SIS_DRG_H
#define SIS_DRG_H

#include "base/state.h"

#pragma GCC visibility push(hidden)

extern bool sis__nodes_full; /* a thread's tree has reached SIS_NODES; reported at the end */

/* -- Nodes ------------------------------------------------------------------------------------ */
struct sis_node *sis__root_new(struct sis_thread *thread);
/* Returns the child of `parent` for region `id`, reached from `origin` (NULL: none), and makes it
 * if it does not exist. NULL: no memory, which is counted. */
SIS_EXPORT struct sis_node *sis__child(struct sis_thread *thread, struct sis_node *parent,
				       uint32_t id, struct sis_node *origin);
/* Returns the node of an activation that begins in the current node: a child, which is made if it
 * does not exist. If the activation folds, the result is an open node, and *folds is set. NULL: no
 * memory (counted). */
struct sis_node *sis__node_to_enter(struct sis_thread *thread, uint32_t id, struct sis_node *origin,
				    bool *folds);

/* The lowest rung that nodes of the region may have. SIS_RUNG_SAMPLED: the region is the program's
 * own work and has no metrics, or it is a construct of OpenMP.
 * SIS_RUNG_FRACTION: waits of other threads depend on the region, but its short activations are
 * alike: an atomic, a poll of MPI. */
enum sis_rung sis__region_lowest_rung(uint32_t id);
/* Whether the budget may turn off the region, if its lowest rung does not save enough. Tasks may be
 * turned off only if they are executed where they are created. */
bool sis__region_off_in_budget(uint32_t id);
/* Whether activations of the region are always short: an atomic, a flush, a poll of MPI, or another
 * query of MPI. If an activation lasts long, the thread was interrupted. */
bool sis__region_is_brief(uint32_t id);

/* -- Begin ------------------------------------------------------------------------------------ */
/* Begins an activation of region `id` in the current node at `now` (0: the clock is read). Returns
 * its node; NULL: no memory. */
SIS_EXPORT struct sis_node *sis__begin(struct sis_thread *thread, uint32_t id, uint64_t now);
/* Begins an activation of the node. The caller counts the call, reads the metrics and puts the
 * event. */
void sis__enter_node(struct sis_thread *thread, struct sis_node *node, bool folds, uint64_t now);

/* -- End -------------------------------------------------------------------------------------- */
/* Ends `node`'s innermost activation, and all activations that are still open inside it. If `node`
 * is NULL, this does nothing. */
SIS_EXPORT void sis__end(struct sis_thread *thread, struct sis_node *node, uint64_t now);
/* Which activations inside of one that ends go on, in nodes beside it (overlap.c). */
enum sis_going {
	SIS_NONE_GOES_ON,
	SIS_ANNOTATIONS_GO_ON, /* those in the list of overlaps with `stays` */
	SIS_OVERLAPPING_GO_ON, /* those in the list of overlaps */
	SIS_ALL_GO_ON          /* and all others of the program's own work */
};
/* Ends activation `one`, which is open. What is inside and does not go on is counted as unwound. */
void sis__end_one(struct sis_thread *thread, struct sis_activation one, enum sis_going what,
		  uint64_t now);
void sis__close_current(struct sis_thread *thread, uint64_t now);
void sis__close_root(struct sis_thread *thread, uint64_t now);
void sis__close_path(struct sis_thread *thread, uint64_t now); /* all activations below the root */
/* Closes all activations inside activation `to`. Returns false if `to` is not open. */
bool sis__close_to(struct sis_thread *thread, struct sis_activation to, uint64_t now);
/* Closes all activations up to that of region `id`, if this region is open. */
void sis__leave_path(struct sis_thread *thread, uint32_t id, uint64_t now);
/* Closes the innermost activation, and counts it as one that was not left. */
void sis__unwind(struct sis_thread *thread, uint64_t now);
/* Counts a leave of a region that is not open, unless the region has been off. */
void sis__mismatch(struct sis_thread *thread, uint32_t id);
/* Ends the innermost activation, or its last part if the activation overlaps others (overlap.c).
 * Does not change the node's minimum and maximum. Returns the ticks of the activation or part. */
uint64_t sis__shut(struct sis_thread *thread, uint64_t now);

/* The innermost activation has waited since `from` (0: it waits from now on). If the activation is
 * not timed, it is timed from this time on. In any case it now stands only for itself. */
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
/* Does the same after the end of a wait that has a node of its own inside the activation, if the
 * wait was long. If the activation is sampled, its node already has the time of this wait
 * (sis__add_inside_of). */
static inline void sis__time_waited(struct sis_thread *thread, uint64_t from, uint64_t now)
{
	bool is_long = now > from && now - from >= SIS_SHORT;
	if (SIS_UNLIKELY(is_long) && thread->pub.current->start != SIS_START_SAMPLED)
		sis__time_wait(thread, from);
}

/* -- What is open ----------------------------------------------------------------------------- */
SIS_EXPORT bool sis__is_open(const struct sis_thread *thread, const struct sis_node *node);
/* Returns the innermost open activation of a region. Its node is NULL if the region is not open. */
struct sis_activation sis__open_one(const struct sis_thread *thread, uint32_t id);

/* -- Time that was measured elsewhere --------------------------------------------------------- */
/* Adds an activation of region `id` below `parent` that lasted `ticks`. */
SIS_EXPORT void sis__book(struct sis_thread *thread, struct sis_node *parent, uint32_t id,
			  uint64_t ticks);
/* Adds an activation of region `id` below `parent` from `from` to `to`. If `parent` is the current
 * node, puts the activation into the trace as well. Returns its node; NULL: no memory. */
SIS_EXPORT struct sis_node *sis__book_span(struct sis_thread *thread, struct sis_node *parent,
					   uint32_t id, uint64_t from, uint64_t to);

#pragma GCC visibility pop
#endif
