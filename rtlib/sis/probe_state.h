/* SPDX-License-Identifier: BSD-3-Clause */
/* probe_state.h - what probes see of the runtime: the thread's state, its nodes, the clock. pair.h
 * includes it; never installed.
 */
#ifndef SIS_PROBE_STATE_H
#define SIS_PROBE_STATE_H

#pragma GCC system_header /* as sis/probe.h, which includes pair.h */

/* DEBUG=1 builds check the invariants of the fast path in every probe, and abort where one does not
 * hold. In a release build nothing is left of the checks. */
#ifdef SIS_DEBUG
#include <assert.h>
#define sis__assert(condition) assert(condition)
#else
#define sis__assert(condition) ((void)0)
#endif

/* The first members of struct sis_node (schema/profile.h) and of struct sis_thread
 * (base/runtime.h), without those headers. base/state.c asserts that the offsets are the same. In
 * the runtime, base/runtime.h says how the structs may alias. */
#ifndef SIS__MIRROR
#define SIS__MIRROR
#endif
struct sis__node {
	unsigned region, children : 24;
	unsigned char rung;
	struct sis__node *parent, *last_child, *next;
	unsigned long long start, calls, total, min, max; /* ticks, but for `calls` */
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
	unsigned sites, overlaps; /* elements of `site` in use; the runtime's */
	struct { unsigned id, routine; struct sis__node *node; } site[8];
	/* Sampled timing: the parent of the node that was entered last. The node entered last may
	 * have ended since, so it need not be the current node. */
	struct sis__node *entered_from;
	struct sis__stream *trace; /* where its events go (traced_pair.h); NULL: no trace */
	/* stack of folded activations; words of it in use, and in all. Since sis__enter_quickly */
	unsigned long long *fold, folds, fold_room;
} SIS__MIRROR;
struct sis__fold {
	struct sis__node *node, *from;
	unsigned long long start, suspended;
} SIS__MIRROR;

#pragma GCC visibility push(default)
/* Never NULL. Until the runtime knows the thread, it points to an empty thread, whose node matches
 * no region; so the slow path follows. */
extern __thread struct sis__thread *sis__self
	__attribute__((__tls_model__("initial-exec"))) SIS__WEAK;
extern int sis__clock_is_tsc SIS__WEAK;
/* 0: each activation is timed. Else some nodes have a lower rung (schema/profile.h), and in
 * nodes of SIS_RUNG_FRACTION one activation in N is timed. This is N, a power of two. */
extern unsigned sis__sampling SIS__WEAK;
/* The fast path tests this. 0: each activation is timed, by the time-stamp counter. Else it is
 * sis__sampling or, if that is 0, it is 1: sis__now() has to read another clock, or the first
 * activations are counted. */
extern unsigned sis__timing SIS__WEAK;
/* Ticks that timing adds to an activation if one in N is timed (process/calibrate.c). */
extern unsigned sis__sampling_excess SIS__WEAK;
/* > 0: after so many activations one of the threads calls sis__visits_over. */
extern unsigned sis__visits_left SIS__WEAK;

SIS__WEAK unsigned long long sis__clock_slow(void);
SIS__WEAK void sis__visits_over(void);
SIS__WEAK struct sis__node *sis__enter_slow(unsigned id);
SIS__WEAK void sis__leave_slow(unsigned id);
SIS__WEAK void sis__enter_special(struct sis_unit *unit, struct sis_region *region);
SIS__WEAK void sis__leave_special(struct sis_region *region);
/* of a region that was turned off after it was entered; weak: an older runtime does not have it */
__attribute__((__weak__)) void sis__leave_off(struct sis_region *region);
SIS__WEAK void sis__site(struct sis_unit *unit, struct sis_region *region);
/* Gates call these before the slow path, because they keep the vector registers
 * (core/quick_probe.c). */
__attribute__((__weak__)) struct sis__node *sis__enter_quickly(unsigned id);
__attribute__((__weak__)) int sis__leave_quickly(unsigned id);
#define SIS__FOLDED ((struct sis__node *)1)
/* Where the program has its copies: sis__self at `distance` from the thread pointer, sis__timing at
 * `timing`. Weak: an older runtime does not have this function. */
__attribute__((__weak__)) void sis__near_at(long distance, unsigned *timing);
#pragma GCC visibility pop

/* -- the thread, and how to time ------------------------------------------------------------------
 *
 * The probes of a program (SIS__OF_PROGRAM) have copies of sis__self and sis__timing at addresses
 * that the linker knows. They read a copy by one load. Probes of a library need two loads; the
 * second one depends on the first, and costs a tenth of the pair of probes. The copy of sis__self
 * equals sis__self, or it points to an empty thread. In a process that traces, the copy points to
 * the thread while sis__self points to the empty thread (traced_pair.h). The slow path reads
 * sis__self itself.
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
/* Not in .bss: with -mcmodel=large its end may be further away than an instruction reaches. */
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

/* Only while sis__timing is 0. */
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
 * Whenever a probe begins:
 *   - the way from the current node along `parent` ends at the root, which has no parent (an empty
 *     node is its own parent)
 *   - the way from last_child along `next` comes back to last_child, and all nodes on it have the
 *     same parent (an empty node is the only one of its ring)
 *   - the program's copy of sis__self equals sis__self, or points to an empty thread, or to one
 *     that traces
 * base/state.c checks that the slot belongs to this thread, where it sets sis__self.
 */
#ifdef SIS_DEBUG
#define SIS__MOST_CHECKED 256 /* nodes of a path or a ring: a bound on the time of a probe */

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
