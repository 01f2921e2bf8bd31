/* SPDX-License-Identifier: BSD-3-Clause */
/* pair.h - the fast path: enter a region, leave it, announce a call. The thread that runs the
 * probe.
 *
 *     sis__self                 one for each thread
 *         |
 *         v                 current
 *     struct sis__thread ----------+
 *                                  v
 *     root <--- ... <---------- node A            the innermost open activation
 *                      parent      |
 *                                  | last_child   the child entered last
 *                                  v
 *                           +--> node B ---> node C ---> node D ---+
 *                           |           next        next           |
 *                           +---------------------- next ----------+    ring: all children of A
 *
 *     enter B    the child entered last. B becomes current.
 *     enter C    the next one in the ring: a loop visits siblings in turn. C becomes current, and
 *                A's last_child.
 *     enter D    neither of them. sis__enter_miss searches the ring or, if A has more than 16
 *                children, a hash table.
 *     leave A    A is current, so A's parent becomes current.
 *
 * sis__self is never NULL, and no pointer on this way is. A thread that is new, muted or inside
 * the runtime has the empty thread. Its node has region 0 and is its own parent, child and sibling.
 * No region has id 0, so the comparison that looks for the child also detects this case, and the
 * slow path follows.
 *
 * Cost of a program's own probes on x86-64:
 *
 *             loads   one after the other                           stores
 *     enter   7       4: sis__self, current, last_child, region     4: calls, current, stamp, start
 *     leave   10      3: sis__self, current, region                 3: stamp, total, current
 *
 * Entering the next sibling takes two loads and a store more; leaving the shortest or the longest
 * activation takes a store more. A library's probes first load where sis__self and sis__timing
 * are. rdtsc takes some 20 cycles, and the processor does the rest meanwhile: on an AMD EPYC of
 * 2.6 GHz two reads of the clock take 49 ticks, and an empty function with its probes takes 50.
 * Some processors wait at rdtsc until all earlier loads have ended. There each load that depends on
 * another one costs time.
 *
 * Programs with gates have the fast path in assembly as well (gate_pair.h).
 *
 * So keep enter and leave at four dependent loads, and without calls, so that no register has to be
 * saved. Everything unlikely is a tail call of a function that is not inlined.
 *
 * sisc links these functions into each program (lib/sis/probes_of_program.o) and library
 * (probes.o), hidden, so that the call is a direct one (modules/probes.c). The runtime has its own
 * copy (core/probe_fallback.c, process/calibrate.c). Translation units do not contain them: GCC
 * needs 25 ms for them at -O2, as long as for a file of two hundred lines.
 *
 * sis/probe.h includes this file where SIS__PROBE_LINKAGE says how the three are declared. Never
 * installed.
 */
#ifndef SIS_PAIR_H
#define SIS_PAIR_H

#pragma GCC system_header /* as sis/probe.h, which includes it */

#include "sis/probe_state.h"
#include "sis/sampled_timing.h"

SIS__PROBE_LINKAGE void sis__enter(struct sis_unit *unit, struct sis_region *region);
SIS__PROBE_LINKAGE void sis__leave(struct sis_region *region);
SIS__PROBE_LINKAGE void sis__announce(struct sis_unit *unit, struct sis_region *region);

/* -- enter ------------------------------------------------------------------------------------- */

/* Neither the child entered last nor the next one; or the region is off, or the slow path's. */
SIS__NOINLINE void sis__enter_miss(struct sis_unit *unit, struct sis_region *region)
{
	unsigned id = region->id;
	struct sis__thread *self;
	struct sis__node *node;
	if (__builtin_expect((int)id < 0, 0)) {
		sis__enter_special(unit, region);
		return;
	}
	node = sis__enter_slow(id);
	if (!node)
		return;
	self = sis__self; /* not SIS__SELF: the slow path may have set it */
	node->calls++;
	if (SIS__TIMING != 0) {
		sis__start_sampled(self, node, node->parent);
		return;
	}
	self->current = node;
	sis__start_timed(self, node);
}

/* A region that is off or takes the slow path has an id that no node has. */
SIS__PROBE_LINKAGE void sis__enter(struct sis_unit *unit, struct sis_region *region)
{
	struct sis__thread *self = SIS__SELF;
	struct sis__node *parent = self->current, *node = parent->last_child;
	unsigned id = region->id;
	SIS__CHECK(self);
	if (node->region != id) {
		node = node->next;
		if (__builtin_expect(node->region != id, 0)) {
			sis__enter_miss(unit, region);
			return;
		}
		parent->last_child = node;
	}
	node->calls++;
	if (__builtin_expect(SIS__TIMING != 0, 0)) {
		sis__start_sampled(self, node, parent);
		return;
	}
	self->current = node;
	node->start = self->stamp = sis__tsc();
}

/* The call that follows has a wrapper, which enters region `id` itself. */
SIS__PROBE_LINKAGE void sis__announce(struct sis_unit *unit, struct sis_region *region)
{
	unsigned id = region->id, n;
	if (__builtin_expect((int)id >= 0, 1)) {
		struct sis__thread *self = SIS__SELF;
		SIS__CHECK(self);
		n = self->sites;
		if (__builtin_expect(n < sizeof self->site / sizeof *self->site, 1)) {
			self->site[n].id = id;
			self->site[n].routine = region->routine;
			self->site[n].node = self->current;
			self->sites = n + 1;
			return;
		}
		if (n > sizeof self->site / sizeof *self->site) /* the thread is not measured */
			return;
	}
	sis__site(unit, region);
}

/* -- leave ------------------------------------------------------------------------------------- */

SIS__NOINLINE void sis__leave_miss(struct sis_region *region)
{
	unsigned id = region->id;
	if (id == SIS_ID_OFF) {
		if (sis__leave_off)
			sis__leave_off(region);
	} else if ((int)id < 0)
		sis__leave_special(region);
	else
		sis__leave_slow(id);
}

SIS__PROBE_LINKAGE void sis__leave(struct sis_region *region)
{
	struct sis__thread *self = SIS__SELF;
	struct sis__node *node = self->current;
	unsigned long long now, ticks;
	SIS__CHECK(self);
	if (__builtin_expect(node->region != region->id, 0)) {
		sis__leave_miss(region);
		return;
	}
	if (__builtin_expect(SIS__TIMING != 0, 0)) {
		sis__end_sampled(self, node);
		return;
	}
	now = sis__tsc();
	ticks = now - node->start;
	sis__end_activation(self, node, now, ticks, ticks);
}

#endif
