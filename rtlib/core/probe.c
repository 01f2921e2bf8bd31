/* SPDX-License-Identifier: BSD-3-Clause */
/* probe.c - the slow paths behind sis/probe.h. The thread that runs the probe; keeps errno.
 *
 * A probe comes here if the region is neither the child entered last nor its sibling, if the
 * thread's state is the empty thread, if a leave does not match, and for regions with metrics of
 * their own. An activation that cannot be measured is skipped, with all activations inside it.
 * Until it is left, sis__self points to the empty thread, and only the depth of nesting is counted.
 * So its leave is not taken for the leave of another activation.
 */
#include "patch/region_switch.h"
#include "trace/tracing.h"
#include "core/drg.h"
#include "core/fold.h"
#include "core/leave.h"
#include "core/thread.h"

#include <errno.h>

static void skip(void)
{
	sis__local.skipped++;
	sis__refresh();
}

/* An activation that begins while the thread is not measured. A thread without a slot counts
 * nothing: none of its leaves can match. */
static void enter_unmeasured(void)
{
	struct sis_local *local = &sis__local;
	if (local->own && !local->muted)
		local->own->pub.dropped_nodes++;
	if (local->own)
		skip();
}

/* The node of an activation that begins; *folds: it is an open one. */
static struct sis_node *node_to_enter(struct sis_thread *thread, uint32_t id, bool *folds)
{
	thread->pub.probes++;
	struct sis_node *node = sis__node_to_enter(thread, id, NULL, folds);
	if (!node)
		skip();
	return node;
}

/* -- in a process that traces ------------------------------------------------------------------ */

/* Books the time since `began`, in which events were written, as cost of the probes: it is not work
 * of the program. Returns the time at the end. */
static uint64_t book_tracing(struct sis_thread *thread, struct sis_node *parent, uint64_t began)
{
	int saved = errno;
	uint64_t now = sis__ticks();
	sis__book(thread, parent, RT_PROBE, now - began);
	errno = saved;
	return now;
}

/* These do what the probes do, and write an event each. The current node changes after the event
 * was written (tracing.h). As in pair.h, everything unlikely is in a function of its own, so that
 * the rest has no registers to save. */
static struct sis__node *begin_traced(struct sis_thread *thread, struct sis_node *node,
				      uint64_t now)
{
	thread->pub.current = node;
	node->start = thread->pub.stamp = now;
	return NULL; /* the probe has nothing left to do */
}

static __attribute__((noinline)) struct sis__node *begin_traced_slowly(struct sis_thread *thread,
								       struct sis_node *node,
								       uint64_t now)
{
	if (sis__trace_slow(thread, SIS_TRACE_LONG_ENTER, sis_node_region(node), now))
		now = book_tracing(thread, node->parent, now);
	return begin_traced(thread, node, now);
}

static inline struct sis__node *begin_traced_at(struct sis_thread *thread, struct sis_node *node,
						uint32_t id, uint64_t now)
{
	if (SIS_UNLIKELY(!sis__trace_put_enter_quickly(thread, id, now)))
		return begin_traced_slowly(thread, node, now);
	return begin_traced(thread, node, now);
}

/* The region is neither the child entered last nor the next one, or the clock is not the time-stamp
 * counter. */
static __attribute__((noinline)) struct sis__node *enter_traced_slowly(struct sis_thread *thread,
								       uint32_t id)
{
	int saved = errno;
	bool folds;
	struct sis_node *node = node_to_enter(thread, id, &folds);
	errno = saved;
	if (!node)
		return NULL;
	node->calls++;
	uint64_t now = sis__ticks();
	if (!folds)
		return begin_traced_at(thread, node, id, now);
	if (!sis__trace_put_enter_quickly(thread, id, now) &&
	    sis__trace_slow(thread, SIS_TRACE_LONG_ENTER, id, now))
		now = book_tracing(thread, thread->pub.current, now);
	sis__fold_begin(thread, node, now);
	return NULL;
}

static struct sis__node *enter_traced(struct sis_thread *thread, uint32_t id)
{
	struct sis_node *parent = thread->pub.current, *node = parent->last_child;
	if (node->region != id)
		node = node->next;
	if (SIS_UNLIKELY(node->region != id || !sis__clock_is_tsc))
		return enter_traced_slowly(thread, id);
	parent->last_child = node;
	node->calls++;
	return begin_traced_at(thread, node, id, sis__tsc());
}

static void end_traced(struct sis_thread *thread, struct sis_node *node, uint64_t now)
{
	sis__add_ticks(node, now - node->start);
	thread->pub.stamp = now;
	thread->pub.current = node->parent;
}

static __attribute__((noinline)) void end_traced_slowly(struct sis_thread *thread,
							struct sis_node *node, uint64_t now)
{
	bool took_time = sis__trace_slow(thread, SIS_TRACE_LONG_LEAVE, sis_node_region(node), now);
	end_traced(thread, node, now);
	if (took_time)
		book_tracing(thread, node->parent, now);
}

/* Of the current node. */
static void leave_traced(struct sis_thread *thread, struct sis_node *node, uint64_t now)
{
	if (SIS_UNLIKELY(!sis__trace_put_leave_quickly(thread, now)))
		end_traced_slowly(thread, node, now);
	else
		end_traced(thread, node, now);
}

/* What the program's own probes could not put (sis/traced_pair.h). */
SIS_EXPORT void sis__start_traced_slow(struct sis__thread *self, struct sis__node *node,
				       unsigned long long now)
{
	begin_traced_slowly((struct sis_thread *)self, (struct sis_node *)node, now);
}

SIS_EXPORT void sis__end_traced_slow(struct sis__thread *self, struct sis__node *node,
				     unsigned long long now)
{
	end_traced_slowly((struct sis_thread *)self, (struct sis_node *)node, now);
}

/* -- ways in and out --------------------------------------------------------------------------- */

/* Returns the node if the probe is to begin the activation. NULL: this function has begun it. A
 * node that folds is left on the slow path, which times each of its activations or none. So at
 * SIS_RUNG_FRACTION this function begins the activation, and times it. */
static struct sis_node *begin_here(struct sis_thread *thread, struct sis_node *node, bool folds)
{
	if (SIS_LIKELY(!folds &&
		       !(node->region & SIS_NODE_FOLDS && node->rung == SIS_RUNG_FRACTION)))
		return node;
	node->calls++;
	uint64_t now = sis__ticks();
	sis__enter_node(thread, node, folds, now);
	return NULL;
}

static __attribute__((noinline)) struct sis__node *enter_slowly(uint32_t id)
{
	int saved = errno;
	struct sis_thread *thread = sis__thread();
	if (thread && sis__local.traced) { /* its first probe */
		errno = saved;
		return enter_traced(thread, id);
	}
	struct sis_node *node = NULL;
	bool folds;
	if (thread)
		node = node_to_enter(thread, id, &folds);
	else
		enter_unmeasured();
	if (node)
		node = begin_here(thread, node, folds);
	/* the process ended meanwhile: the probe must not write to it */
	if (sis__self == (struct sis__thread *)&sis__empty)
		node = NULL;
	errno = saved;
	return (struct sis__node *)node;
}

SIS_EXPORT struct sis__node *sis__enter_slow(unsigned id)
{
	struct sis_thread *traced = sis__local.traced;
	if (SIS_LIKELY(traced != NULL))
		return enter_traced(traced, id);
	return sis__fold_enter((struct sis_thread *)sis__self, id) ? NULL : enter_slowly(id);
}

/* The thread may be muted: its activations from before end all the same. */
static void leave_path(struct sis_thread *thread, uint32_t id, uint64_t now)
{
	bool muted = sis__unmeasured_end(thread, now);
	sis__leave_path(thread, id, now);
	if (muted)
		sis__unmeasured_begin(thread, now);
}

static __attribute__((noinline)) void leave_slowly(uint32_t id)
{
	int saved = errno;
	struct sis_thread *thread = sis__thread_to_leave();
	if (thread)
		leave_path(thread, id, sis__ticks());
	errno = saved;
}

/* Of the current node, which is one that folds. */
static __attribute__((noinline)) void leave_folding(struct sis_thread *thread)
{
	uint64_t now = sis__ticks(), blocks = thread->trace ? thread->trace->pub.filling : 0;
	int saved = errno;
	sis__close_current(thread, now);
	if (SIS_UNLIKELY(thread->trace && thread->trace->pub.filling != blocks))
		book_tracing(thread, thread->pub.current, now);
	errno = saved;
}

SIS_EXPORT void sis__leave_slow(unsigned id)
{
	struct sis_thread *traced = sis__local.traced;
	struct sis_thread *thread = traced ? traced : (struct sis_thread *)sis__self;
	struct sis_node *node = thread->pub.current;
	if (SIS_LIKELY(traced && node->region == id && sis__clock_is_tsc))
		leave_traced(traced, node, sis__tsc());
	else if (node->region != (id | SIS_NODE_FOLDS))
		leave_slowly(id);
	else if (!sis__fold_leave(thread))
		leave_folding(thread);
}

/* -- regions with metrics of their own, and units that are not registered yet ------------------ */

/* The number of a region that is entered; 0: it is not entered. The program has seen that the
 * region is on, and will call leave. So the region is entered even if it was turned off since
 * then. */
static uint32_t number_to_enter(struct sis_unit *unit, const struct sis_region *region)
{
	if (region->id == SIS_ID_OFF)
		return sis__region_number(region);
	if (!sis__region_is_registered(region))
		sis_unit_register(unit);
	return sis__region_is_registered(region) ? sis__region_id(region) : 0;
}

/* Takes one look of a region that rules have off; at the last one, its probes stop calling. The
 * exchange fails if a thread of the runtime has switched the region meanwhile. Relaxed: the runtime
 * may set the looks at the same time, and either number is good. */
static void take_look(struct sis_region *region, uint32_t number)
{
	uint16_t *looks = &sis__fact_pages[number / SIS_FACT_PAGE][number % SIS_FACT_PAGE].looks;
	uint16_t left = __atomic_load_n(looks, __ATOMIC_RELAXED);
	uint32_t special = number | SIS_ID_SPECIAL;
	if (left)
		__atomic_store_n(looks, (uint16_t)(left - 1), __ATOMIC_RELAXED);
	if (left <= 1 && !sis__region_fact(number)->set) /* else it has this id while it is on */
		__atomic_compare_exchange_n(&region->id, &special, SIS_ID_OFF, false,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Rules have the region off. It gets a node in the region around it, but no activation, so that the
 * time in it is known to be the other region's. Its leave finds nothing to end. If the region is
 * open further out, its leave would end that activation: then this is an activation, too, and
 * there is a node already. */
static bool only_looks(struct sis_thread *thread, struct sis_region *region, uint32_t number)
{
	if (sis__region_fact(number)->off != SIS_OFF_BY_RULE ||
	    __atomic_load_n(&region->id, __ATOMIC_RELAXED) == SIS_ID_OFF)
		return false;
	take_look(region, number);
	if (sis__open_one(thread, number).node)
		return false;
	sis__child(thread, thread->pub.current, number, NULL);
	return true;
}

SIS_EXPORT void sis__enter_special(struct sis_unit *unit, struct sis_region *region)
{
	int saved = errno;
	uint32_t number = number_to_enter(unit, region);
	struct sis_thread *thread = number ? sis__thread() : NULL;
	if (thread && only_looks(thread, region, number))
		number = 0;
	if (number && !thread)
		enter_unmeasured();
	else if (number && !sis__begin(thread, number, 0))
		skip();
	errno = saved;
}

SIS_EXPORT void sis__leave_special(struct sis_region *region)
{
	int saved = errno;
	struct sis_thread *thread = sis__thread_to_leave_region(region);
	if (thread) /* else the clock may be off limits (process/confine.c) */
		leave_path(thread, sis__region_id(region), sis__ticks());
	errno = saved;
}

SIS_EXPORT void sis__leave_off(struct sis_region *region)
{
	uint32_t number = sis__region_number(region);
	if (number)
		leave_slowly(number);
}
