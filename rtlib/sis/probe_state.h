/* SPDX-License-Identifier: BSD-3-Clause */
/* probe_state.h - the data of the runtime that probes use: the thread's state, its nodes, the
 * clock. pair.h includes this file; it is never installed.
 */
#ifndef SIS_PROBE_STATE_H
#define SIS_PROBE_STATE_H

#pragma GCC system_header /* as in sis/probe.h, which includes pair.h */

/* DEBUG=1 builds check the invariants of the fast path in every probe, and abort if one does not
 * hold. A release build contains no checks. */
#ifdef SIS_DEBUG
#include <assert.h>
#define sis__assert(condition) assert(condition)
#else
#define sis__assert(condition) ((void)0)
#endif

/* These structs repeat the first members of struct sis_node (schema/profile.h), struct sis_thread
 * (base/runtime.h) and others, so that programs need not include those headers. base/state.c
 * asserts that the offsets are the same. base/runtime.h says how the runtime lets the structs
 * alias. */
#ifndef SIS__MIRROR
#define SIS__MIRROR
#endif
struct sis__node {
	unsigned region, children : 24;
	unsigned char rung;
	struct sis__node *parent, *last_child, *next;
	unsigned long long start, calls, total, min, max; /* in ticks, except `calls` */
	void *others[2];
	struct sis__estimate *estimate;
} SIS__MIRROR;
struct sis__estimate {
	struct sis__node *node;
	unsigned long long timed;
	double ticks, ticks_squared;
	unsigned long long others[3], rungs;
} SIS__MIRROR;
#define SIS__FOLDS 0x40000000u /* in `region`: SIS_NODE_FOLDS */
#define SIS__FULL 0 /* rungs */
#define SIS__SAMPLED 2
#define SIS__BRIEF 0x100u /* SIS_ESTIMATE_BRIEF */
#define SIS__START_UNTIMED 0x8000000000000000u
#define SIS__START_CHOSEN 0x4000000000000000u
#define SIS__START_SAMPLED (~0ull)
struct sis__thread {
	struct sis__node *current;
	unsigned long long stamp, others[7];
	unsigned sites, overlaps; /* elements of `site` in use; the runtime's count */
	struct { unsigned id, routine; struct sis__node *node; } site[8];
	/* Sampled timing: the parent of the node that was entered last. The node entered last may
	 * have ended since, so it need not be the current node. */
	struct sis__node *entered_from;
	struct sis__stream *trace; /* receives its events (traced_pair.h); NULL: no trace */
	/* The stack of folded activations, the number of its words in use, and the number of all
	 * its words. A runtime that has sis__enter_quickly has these members. */
	unsigned long long *fold, folds, fold_room;
} SIS__MIRROR;
struct sis__fold {
	struct sis__node *node, *from;
	unsigned long long start, suspended;
} SIS__MIRROR;

#pragma GCC visibility push(default)
/* Never NULL. Until the runtime knows the thread, it points to an empty thread. The node of an
 * empty thread matches no region, so the slow path follows. */
extern __thread struct sis__thread *sis__self
	__attribute__((__tls_model__("initial-exec"))) SIS__WEAK;
extern int sis__clock_is_tsc SIS__WEAK;
/* 0: each activation is timed. Otherwise some nodes have a lower rung (schema/profile.h), and the
 * value is N, a power of two: of nodes with SIS_RUNG_FRACTION, one activation in N is timed. */
extern unsigned sis__sampling SIS__WEAK;
/* The fast path tests this. 0: each activation is timed by the time-stamp counter. Otherwise
 * sis__timing equals sis__sampling or, if sis__sampling is 0, it is 1. In this last case sis__now()
 * has to read another clock, or the first activations are being counted. */
extern unsigned sis__timing SIS__WEAK;
/* The ticks that timing adds to the timed activation, if one activation in N is timed
 * (process/calibrate.c). */
extern unsigned sis__sampling_excess SIS__WEAK;
/* The number of activations until a thread calls sis__visits_over; 0: no thread will call it. */
extern unsigned sis__visits_left SIS__WEAK;

SIS__WEAK unsigned long long sis__clock_slow(void);
SIS__WEAK void sis__visits_over(void);
SIS__WEAK struct sis__node *sis__enter_slow(unsigned id);
SIS__WEAK void sis__leave_slow(unsigned id);
SIS__WEAK void sis__enter_special(struct sis_unit *unit, struct sis_region *region);
SIS__WEAK void sis__leave_special(struct sis_region *region);
/* leaves a region that was turned off after it was entered */
SIS__WEAK void sis__leave_off(struct sis_region *region);
SIS__WEAK void sis__site(struct sis_unit *unit, struct sis_region *region);
/* The probes of gates try these functions before they take the slow path, because these functions
 * keep the vector registers (measure/core/quick_probe.c). */
SIS__WEAK struct sis__node *sis__enter_quickly(unsigned id);
SIS__WEAK int sis__leave_quickly(unsigned id);
#define SIS__FOLDED ((struct sis__node *)1)
/* Tells the runtime where the program's copies are. The copy of sis__self is at `distance` from the
 * thread pointer, and the copy of sis__timing is at `timing`. */
SIS__WEAK void sis__near_at(long distance, unsigned *timing);
#pragma GCC visibility pop

/* -- the thread, and how to time ------------------------------------------------------------------
 *
 * The probes of a program (SIS__OF_PROGRAM) have copies of sis__self and sis__timing at addresses
 * that the linker knows, so one load reads a copy. Probes of a library need two loads. The second
 * load depends on the first, and takes a tenth of the time of a pair of probes. The copy of
 * sis__self equals sis__self, or it points to an empty thread. But in a process that traces, the
 * copy may point to the thread while sis__self points to the empty thread (traced_pair.h). The slow
 * path reads sis__self itself.
 */
#ifdef SIS__OF_PROGRAM
static struct sis__node sis__null_node_local = {
	.parent = &sis__null_node_local,
	.last_child = &sis__null_node_local,
	.next = &sis__null_node_local
};
static struct sis__thread sis__null_thread_local = {
	.current = &sis__null_node_local,
	.sites = sizeof sis__null_thread_local.site / sizeof *sis__null_thread_local.site
};
static __thread struct sis__thread *sis__self_local __attribute__((__tls_model__("local-exec"))) =
	&sis__null_thread_local;
/* Not in .bss: with -mcmodel=large, the end of .bss may be further away than an instruction
 * reaches. */
static unsigned sis__timing_local __attribute__((__section__(".data")));
#define SIS__SELF sis__self_local
#define SIS__TIMING sis__timing_local
#else
#define SIS__SELF sis__self
#define SIS__TIMING sis__timing
#endif

/* -- the clock --------------------------------------------------------------------------------- */

SIS__INLINE unsigned long long sis__now(void)
{
#if defined __x86_64__ || defined __i386__
	if (__builtin_expect(sis__clock_is_tsc, 1))
		return __builtin_ia32_rdtsc();
#endif
	return sis__clock_slow();
}

/* Reads the time-stamp counter. Called only if sis__timing is 0 or SIS__TRACED. */
SIS__INLINE unsigned long long sis__tsc(void)
{
#if defined __x86_64__ || defined __i386__
	return __builtin_ia32_rdtsc();
#else
	return 0;
#endif
}

/* -- invariants -----------------------------------------------------------------------------------
 *
 * These hold whenever a probe begins:
 *   - From the current node, `parent` leads to the root, which has no parent. An empty node is its
 *     own parent.
 *   - From last_child, `next` leads back to last_child, and all nodes of this ring have the same
 *     parent. An empty node is alone in its ring.
 *   - The program's copy of sis__self equals sis__self, or points to an empty thread, or to a
 *     thread that traces.
 * When base/state.c sets sis__self, it checks that the slot belongs to this thread.
 */
#ifdef SIS_DEBUG
#define SIS__MOST_CHECKED 256 /* nodes of a path or a ring: limits the time of a probe */

SIS__INLINE int sis__reaches_root(const struct sis__node *node)
{
	int steps = 0;
	while (node && node->parent != node && steps++ < SIS__MOST_CHECKED)
		node = node->parent;
	return !node || node->parent == node || steps > SIS__MOST_CHECKED;
}

SIS__INLINE int sis__ring_is_closed(const struct sis__node *last)
{
	const struct sis__node *node = last;
	int steps = 0;
	do {
		if (!node || node->parent != last->parent)
			return 0;
		node = node->next;
	} while (node != last && steps++ < SIS__MOST_CHECKED);
	return 1;
}

SIS__INLINE int sis__is_own(const struct sis__thread *self)
{
	return self == sis__self || self->current->parent == self->current || self->trace;
}
#endif

#define SIS__CHECK(self)                                                        \
	(sis__assert(sis__is_own(self)),                                        \
	 sis__assert(sis__reaches_root((self)->current)),                       \
	 sis__assert(sis__ring_is_closed((self)->current->last_child)))

#endif
