/* SPDX-License-Identifier: BSD-3-Clause */
/* pair.h - enter, leave and announce whole: what a probe does when it finds its way alone. The
 * thread that runs the probe.
 *
 * Programs have them from lib/sis/probes_of_program.o, libraries from probes.o, which sisc links
 * in, hidden, so that the call is a direct one (modules/probes.c); the runtime has its own copy
 * (probe_fallback.c, clock.c). Not in each unit: GCC needs some 25 ms for them at -O2, which is
 * what it needs for a file of two hundred lines.
 *
 * Included by sis/probe.h where SIS__PROBE_LINKAGE says how the three are declared; never
 * installed.
 */
#ifndef SIS_PAIR_H
#define SIS_PAIR_H

#pragma GCC system_header /* as sis/probe.h, which includes it */

/* What a probe needs to see of the runtime's structures; schema/profile.h has them whole (the
 * runtime asserts that offsets agree). */
struct sis__node {
	unsigned region, children;
	struct sis__node *parent, *last_child, *next;
	unsigned long long start, calls, total, min, max;
};
struct sis__thread {
	struct sis__node *current;
	unsigned long long stamp, others[7];
	unsigned sites, overlaps; /* of `site` in use; of other things */
	struct { unsigned id, routine; struct sis__node *node; } site[8];
	/* the last time, where not each activation is timed; maybe not what is to be left next */
	struct sis__node *entered_from;
};

#pragma GCC visibility push(default)
/* Never NULL: a thread that the runtime does not know yet has an empty one that leads into the
 * slow path. */
extern __thread struct sis__thread *sis__self
	__attribute__((__tls_model__("initial-exec"))) SIS__WEAK;
extern int sis__clock_is_tsc SIS__WEAK;
/* 0: each activation is timed; else SIS_TIMING, a power of two */
extern unsigned sis__sampling SIS__WEAK;
/* 0: each, by the time-stamp counter; else one in so many, by sis__now() */
extern unsigned sis__timing SIS__WEAK;
/* ticks that one of the chosen lasts longer for being timed */
extern unsigned sis__sampling_excess SIS__WEAK;

SIS__WEAK unsigned long long sis__clock_slow(void);
SIS__WEAK struct sis__node *sis__enter_slow(unsigned id);
SIS__WEAK void sis__leave_slow(unsigned id);
SIS__WEAK void sis__enter_special(struct sis_unit *unit, struct sis_region *region);
SIS__WEAK void sis__leave_special(struct sis_region *region);
SIS__WEAK void sis__site(struct sis_unit *unit, struct sis_region *region);
/* The program has copies: of sis__self, so far from a thread's pointer, and of sis__timing. Weak:
 * the runtime may be an older one. */
__attribute__((__weak__)) void sis__near_at(long distance, unsigned *timing);
#pragma GCC visibility pop

SIS__PROBE_LINKAGE void sis__enter(struct sis_unit *unit, struct sis_region *region);
SIS__PROBE_LINKAGE void sis__leave(struct sis_region *region);
SIS__PROBE_LINKAGE void sis__announce(struct sis_unit *unit, struct sis_region *region);

SIS__INLINE unsigned long long sis__now(void)
{
#if defined __x86_64__ || defined __i386__
	if (__builtin_expect(sis__clock_is_tsc, 1))
		return __builtin_ia32_rdtsc();
#endif
	return sis__clock_slow();
}

/* Where a probe finds its thread, and how to time. A program's own have copies that are one load
 * away, at places that the linker knows; two, one after the other, cost a tenth of the pair. The
 * copy is sis__self or says nothing: what is behind the slow path asks sis__self itself. */
#ifdef SIS__OF_PROGRAM
static struct sis__node sis__null_node_local = {
	0, 0, &sis__null_node_local, &sis__null_node_local, &sis__null_node_local, 0, 0, 0, 0, 0
};
static struct sis__thread sis__null_thread_local = {
	.current = &sis__null_node_local,
	.sites = sizeof sis__null_thread_local.site / sizeof *sis__null_thread_local.site
};
static __thread struct sis__thread *sis__self_local __attribute__((__tls_model__("local-exec"))) =
	&sis__null_thread_local;
/* Not in .bss: of -mcmodel=large that may end further off than an instruction reaches. */
static unsigned sis__timing_local __attribute__((__section__(".data")));
#define SIS__SELF sis__self_local
#define SIS__TIMING sis__timing_local
#else
#define SIS__SELF sis__self
#define SIS__TIMING sis__timing
#endif

/* Where sis__timing is 0. */
SIS__INLINE unsigned long long sis__tsc(void)
{
#if defined __x86_64__ || defined __i386__
	return __builtin_ia32_rdtsc();
#else
	return 0;
#endif
}

/* SIS_TIMING=1/N: a node whose activations are short has one in N timed, which then counts for N.
 * Which one of each N is a matter of chance, or what comes around in the same rhythm would be seen
 * always or never. A node is timed each time as long as none of its activations was short: `min`
 * begins with the highest number. The lowest bit of `start` says that this activation is not
 * timed; `start` is then the time of the probe before, for what ends it without one. */
#define SIS__SHORT 4096u /* ticks */
SIS__INLINE int sis__is_chosen(const struct sis__node *node)
{
	unsigned long long mask = SIS__TIMING - 1, k = node->calls - 1;
	unsigned long long chance = ((k & ~mask) + (unsigned long)node) * 0x9e3779b97f4a7c15u;
	return ((chance >> 32 ^ k) & mask) == 0;
}

/* -- enter ----------------------------------------------------------------------------------------
 *
 * rdtsc takes some 20 cycles, during which a few independent instructions cost nothing. Keep this
 * path below four dependent loads and free of saved registers: everything unlikely is a noinline
 * tail call, and a program's own probes find their thread with one load (SIS__SELF).
 */

SIS__NOINLINE void sis__start_timed(struct sis__thread *self, struct sis__node *node)
{
	unsigned long long now = sis__now();
	self->stamp = now;
	node->start = sis__sampling ? now & ~1ull : now;
}

SIS__NOINLINE void sis__start_sampled(struct sis__thread *self, struct sis__node *node,
				      struct sis__node *parent)
{
	self->entered_from = parent;
	if (node->min >= SIS__SHORT || sis__is_chosen(node))
		sis__start_timed(self, node);
	else
		node->start = self->stamp | 1;
}

/* Not the child entered last, nor the next one in the ring. */
SIS__NOINLINE void sis__enter_miss(struct sis_unit *unit, struct sis_region *region)
{
	unsigned id = region->id;
	struct sis__thread *self;
	struct sis__node *node;
	if (__builtin_expect((int)id < 0, 0)) {
		if (id != SIS_ID_OFF)
			sis__enter_special(unit, region);
		return;
	}
	node = sis__enter_slow(id);
	if (!node)
		return;
	self = sis__self; /* the slow path may have made it only now */
	node->calls++;
	self->current = node;
	if (SIS__TIMING != 0)
		sis__start_sampled(self, node, node->parent);
	else
		sis__start_timed(self, node);
}

/* Enter region `id`: the child entered last is the one most often entered next, or its
 * neighbour, where some come in turn. A region that is switched off or the slow path's has an id
 * that no node has. Out of line: the compiler's time grows with every probe that it inlines, 3
 * ms each at -O2. */
SIS__PROBE_LINKAGE void sis__enter(struct sis_unit *unit, struct sis_region *region)
{
	struct sis__thread *self = SIS__SELF;
	struct sis__node *parent = self->current, *node = parent->last_child;
	unsigned id = region->id;
	if (node->region != id) {
		node = node->next;
		if (__builtin_expect(node->region != id, 0)) {
			sis__enter_miss(unit, region);
			return;
		}
		parent->last_child = node;
	}
	node->calls++;
	self->current = node;
	if (__builtin_expect(SIS__TIMING != 0, 0)) {
		sis__start_sampled(self, node, parent);
		return;
	}
	node->start = self->stamp = sis__tsc();
}

/* The call that follows has a wrapper of ours, which enters region `id` itself. */
SIS__PROBE_LINKAGE void sis__announce(struct sis_unit *unit, struct sis_region *region)
{
	unsigned id = region->id, n;
	if (__builtin_expect((int)id >= 0, 1)) {
		struct sis__thread *self = SIS__SELF;
		n = self->sites;
		if (__builtin_expect(n < sizeof self->site / sizeof *self->site, 1)) {
			self->site[n].id = id;
			self->site[n].routine = region->routine;
			self->site[n].node = self->current;
			self->sites = n + 1;
			return;
		}
	}
	sis__site(unit, region);
}

/* -- leave ------------------------------------------------------------------------------------- */

/* What a leave does: `ticks` is how long it was, `counted` what it counts for. */
SIS__INLINE void sis__end_activation(struct sis__thread *self, struct sis__node *node,
				     unsigned long long now, unsigned long long ticks,
				     unsigned long long counted)
{
	if (__builtin_expect(ticks < node->min, 0))
		node->min = ticks;
	if (__builtin_expect(ticks > node->max, 0))
		node->max = ticks;
	self->stamp = now;
	node->total += counted;
	self->current = node->parent;
}

SIS__NOINLINE void sis__end_timed(struct sis__thread *self, struct sis__node *node)
{
	unsigned long long now = sis__now(), ticks = now - node->start, weight = 1, excess = 0;
	if (sis__sampling != 0 && node->min < SIS__SHORT) {
		weight = sis__sampling;
		excess = sis__sampling_excess;
	}
	sis__end_activation(self, node, now, ticks, ticks > excess ? (ticks - excess) * weight : 0);
}

/* Where no clock is read, the next probe waits for `current`. Where it was entered from is known
 * earlier than a node's parent, which is looked at only to see that it is the same. */
SIS__NOINLINE void sis__end_sampled(struct sis__thread *self, struct sis__node *node)
{
	struct sis__node *parent = self->entered_from, *same;
	if (SIS__TIMING <= 1 || !(node->start & 1)) {
		sis__end_timed(self, node);
		return;
	}
	/* or the compiler would store what it is compared with ... */
	__asm__("" : "=r"(same) : "0"(parent));
	if (__builtin_expect(parent == node->parent, 1)) {
		__asm__ volatile(""); /* ... or wait for both to choose one */
		self->current = same;
		return;
	}
	self->current = node->parent;
}

SIS__NOINLINE void sis__leave_miss(struct sis_region *region)
{
	unsigned id = region->id;
	if (id == SIS_ID_OFF)
		return;
	if ((int)id < 0)
		sis__leave_special(region);
	else
		sis__leave_slow(id);
}

SIS__PROBE_LINKAGE void sis__leave(struct sis_region *region)
{
	struct sis__thread *self = SIS__SELF;
	struct sis__node *node = self->current;
	unsigned long long now, ticks;
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
