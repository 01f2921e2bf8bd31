/* SPDX-License-Identifier: BSD-3-Clause */
/* pair.h - the fast path: enters a region, leaves it, announces a call. The thread that runs the
 * probe executes it.
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
 *     enter B    B is the child entered last. It becomes current.
 *     enter C    C is the next child in the ring, since a loop visits siblings in turn. C becomes
 *                current, and A's last_child.
 *     enter D    D is neither of these. sis__enter_miss searches the ring or, if A has more than
 *                16 children, a hash table.
 *     leave A    A is current, so A's parent becomes current.
 *
 * sis__self and the pointers that are reached from it are never NULL. If a thread is new, muted or
 * inside the runtime, its sis__self points to the empty thread. The node of the empty thread has
 * region 0 and is its own parent, child and sibling. No region has id 0. So the comparison that
 * looks for the child fails for the empty thread, and the slow path follows.
 *
 * Cost of a program's own probes on x86-64:
 *
 *             loads   one after the other                           stores
 *     enter   7       4: sis__self, current, last_child, region     4: calls, current, stamp, start
 *     leave   10      3: sis__self, current, region                 3: stamp, total, current
 *
 * Entering the next sibling takes two more loads and one more store. Leaving the shortest or the
 * longest activation takes one more store. A library's probes first load the addresses of sis__self
 * and sis__timing. rdtsc takes some 20 cycles, and the processor executes the other instructions
 * meanwhile: on an AMD EPYC of 2.6 GHz two reads of the clock take 49 ticks, and an empty function
 * with its probes takes 50. Some processors wait at rdtsc until all earlier loads have ended. On
 * these, each load that depends on another load costs time. So keep enter and leave at four
 * dependent loads at most. Keep them without calls, so that no register has to be saved: in each
 * unlikely case they end with a tail call of a function that is not inlined.
 *
 * Programs with gates have the fast path in assembly as well (gate_pair.h).
 *
 * sisc links these functions into each program (lib/sis/probes_of_program.o) and library
 * (probes.o), as hidden symbols, so that programs call them directly (apart/modules/probes.c). The
 * runtime has its own copy (measure/core/probe_fallback.c, process/calibrate.c). Translation units
 * do not contain these functions, because GCC needs 25 ms to compile them at -O2, as long as for a
 * file of two hundred lines.
 *
 * sis/probe.h includes this file if SIS__PROBE_LINKAGE is defined. This macro says how enter, leave
 * and announce are declared. This file is never installed.
 */
#ifndef SIS_PAIR_H
#define SIS_PAIR_H

#pragma GCC system_header /* as in sis/probe.h, which includes this file */

#include "sis/probe_state.h"
#include "sis/sampled_timing.h"

SIS__PROBE_LINKAGE void sis__enter(struct sis_unit *unit, struct sis_region *region);
SIS__PROBE_LINKAGE void sis__leave(struct sis_region *region);
SIS__PROBE_LINKAGE void sis__announce(struct sis_unit *unit, struct sis_region *region);

/* -- enter ------------------------------------------------------------------------------------- */

/* Called if the region is neither that of the child entered last nor that of the next child, or if
 * the region is off or needs the slow path. */
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
	self = sis__self; /* read again, because the slow path may have set sis__self */
	node->calls++;
	if (SIS__TIMING != 0) {
		sis__start_sampled(self, node, node->parent);
		return;
	}
	self->current = node;
	sis__start_timed(self, node);
}

/* A region that is off or needs the slow path has an id that no node has, so it is not found
 * here. */
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

/* Announces a call: its wrapper will enter the region. */
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
	if (id == SIS_ID_OFF)
		sis__leave_off(region);
	else if ((int)id < 0)
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
