/* SPDX-License-Identifier: BSD-3-Clause */
/* probe.c - the slow paths behind sis/probe.h. Called by the thread that runs the probe; keeps
 * errno.
 *
 * A probe takes a slow path in these cases: the region is neither the child entered last nor the
 * next child; sis__self points to the empty thread; a leave does not match; the region is off or
 * has metrics of its own. An activation that cannot be measured is skipped, with all activations
 * inside it. Until its leave, sis__self points to the empty thread, and only the depth of nesting
 * is counted. So this leave is not mistaken for the leave of another activation.
 */
#include "measure/patch/region_switch.h"
#include "output/trace/tracing.h"
#include "measure/core/drg.h"
#include "measure/core/fold.h"
#include "measure/core/instance.h"
#include "measure/core/leave.h"
#include "measure/core/thread.h"

#include <errno.h>

static void skip(void)
{
	sis__local.skipped++;
	sis__refresh();
}

/* Skips an activation that begins while the thread is not measured, and counts it as dropped unless
 * the thread is muted. A thread without a slot counts nothing, because it has no activation that a
 * leave could end. */
static void enter_unmeasured(void)
{
	struct sis_local *local = &sis__local;
	if (local->own && !local->muted)
		local->own->pub.dropped_nodes++;
	if (local->own)
		skip();
}

/* Returns the node of an activation that begins. *folds is set if the activation folds into an open
 * node. NULL: the activation is skipped. */
static struct sis_node *node_to_enter(struct sis_thread *thread, uint32_t id, bool *folds)
{
	thread->pub.probes++;
	struct sis_node *node = sis__node_to_enter(thread, id, NULL, folds);
	if (!node)
		skip();
	return node;
}

/* -- in a process that traces ------------------------------------------------------------------ */

/* Books the time since `began` as cost of the probes. In this time the trace changed blocks, which
 * is no work of the program. Returns the present time. */
static uint64_t book_tracing(struct sis_thread *thread, struct sis_node *parent, uint64_t began)
{
	int saved = errno;
	uint64_t now = sis__ticks();
	sis__book(thread, parent, RT_PROBE, now - began);
	errno = saved;
	return now;
}

/* These functions do the work of the probes, and each puts an event. The current node changes after
 * the event was put (tracing.h). As in pair.h, each unlikely case is in a function of its own, so
 * that the usual case has no registers to save. */
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

/* Called if the region is neither that of the child entered last nor that of the next child, or if
 * the clock is not the time-stamp counter. */
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

/* These two put an event that the program's own probes could not put (sis/traced_pair.h). */
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

static __attribute__((noinline)) struct sis__node *enter_slowly(uint32_t id)
{
	int saved = errno;
	struct sis_thread *thread = sis__thread();
	if (thread && sis__local.traced) { /* the first probe of a thread that traces */
		errno = saved;
		return enter_traced(thread, id);
	}
	struct sis_node *node = NULL;
	bool folds;
	if (thread)
		node = node_to_enter(thread, id, &folds);
	else
		enter_unmeasured();
	/* The slow path that leaves a node that folds does not know activations that count N times.
	 * So at SIS_RUNG_FRACTION the activation begins here, and is timed. */
	if (node && (folds || (node->region & SIS_NODE_FOLDS && node->rung == SIS_RUNG_FRACTION))) {
		node->calls++;
		uint64_t now = sis__ticks();
		sis__enter_node(thread, node, folds, now);
		node = NULL; /* the probe has nothing left to do */
	}
	/* if the process ended meanwhile, the probe must not write to the node */
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

/* Even if the thread is muted, activations that began before the mute end here. */
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

/* Leaves the current node, which folds. */
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
	if (SIS_LIKELY(traced && node->region == id && sis__clock_is_tsc)) {
		uint64_t now = sis__tsc();
		if (SIS_UNLIKELY(!sis__trace_put_leave_quickly(traced, now)))
			end_traced_slowly(traced, node, now);
		else
			end_traced(traced, node, now);
	} else if (node->region != (id | SIS_NODE_FOLDS)) {
		leave_slowly(id);
	} else if (!sis__fold_leave(thread)) {
		leave_folding(thread);
	}
}

/* -- regions with metrics of their own, and units that are not registered yet ------------------ */

/* Returns the number of the region; 0: the region is not entered. If the program has seen that the
 * region is on, it will call leave. So the region is entered even if it was turned off since
 * then. */
static uint32_t number_to_enter(struct sis_unit *unit, struct sis_region *region)
{
	if (region->id == SIS_ID_OFF)
		return sis__region_number(region);
	if (region->id == SIS_ID_INSTANCE)
		sis__instance_add(unit, (struct sis_instance *)region);
	else if (!sis__region_is_registered(region))
		sis_unit_register(unit);
	return sis__region_is_registered(region) ? sis__region_id(region) : 0;
}

/* If rules have turned the region off, gives it a node below the current node, but no activation.
 * So the analysis knows in which region around it its time is. Its leave finds nothing to end. But
 * if the region is already open further out, its leave would end that activation. In this case the
 * result is false, and an activation begins.
 *
 * At the last of these looks, the region's id becomes SIS_ID_OFF, so that its probes no longer call
 * this. The exchange fails if a thread of the runtime has switched the region meanwhile. Relaxed:
 * the runtime may set the number of looks at the same time, and either number is good. */
static bool only_looks(struct sis_thread *thread, struct sis_region *region, uint32_t number)
{
	if (sis__region_fact(number)->off != SIS_OFF_BY_RULE ||
	    __atomic_load_n(&region->id, __ATOMIC_RELAXED) == SIS_ID_OFF)
		return false;
	uint16_t *looks = &sis__fact_pages[number / SIS_FACT_PAGE][number % SIS_FACT_PAGE].looks;
	uint16_t left = __atomic_load_n(looks, __ATOMIC_RELAXED);
	uint32_t special = number | SIS_ID_SPECIAL;
	if (left)
		__atomic_store_n(looks, (uint16_t)(left - 1), __ATOMIC_RELAXED);
	if (left <= 1 && !sis__region_fact(number)->set) /* a region with metrics keeps this id */
		__atomic_compare_exchange_n(&region->id, &special, SIS_ID_OFF, false,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
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
	if (thread) /* else reading the clock may be forbidden (process/confine.c) */
		leave_path(thread, sis__region_id(region), sis__ticks());
	errno = saved;
}

SIS_EXPORT void sis__leave_off(struct sis_region *region)
{
	uint32_t number = sis__region_number(region);
	if (number)
		leave_slowly(number);
}
