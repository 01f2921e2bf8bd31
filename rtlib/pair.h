/* pair.h - enter, leave and announce whole: what a probe does when it finds its way alone. The thread that runs the probe.
 *
 * Programs have them from lib/sis/probes.o, which sisc links into each program and library, hidden, so that the call is a
 * direct one (modules/probes.c); the runtime has its own copy (far.c, clock.c). Not in each unit: GCC needs some 25 ms
 * for them at -O2, which is what it needs for a file of two hundred lines.
 *
 * Included by sis/probe.h where SIS__WHOLE says how the three are declared; never installed.
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
};

#pragma GCC visibility push(default)
/* Never NULL: a thread that the runtime does not know yet has an empty one that leads into the slow path. */
extern __thread struct sis__thread *sis__self __attribute__((__tls_model__("initial-exec"))) SIS__WEAK;
extern int sis__clock_is_tsc SIS__WEAK;
extern unsigned sis__sampling SIS__WEAK; /* 0: each activation is timed; else SIS_TIMING, a power of two */
extern unsigned sis__sampling_excess SIS__WEAK; /* ticks that one of the chosen lasts longer for being timed */

SIS__WEAK unsigned long long sis__clock_slow(void);
SIS__WEAK struct sis__node *sis__enter_slow(unsigned id);
SIS__WEAK void sis__leave_slow(unsigned id);
SIS__WEAK void sis__enter_special(struct sis_unit *unit, struct sis_region *region);
SIS__WEAK void sis__leave_special(struct sis_region *region);
SIS__WEAK void sis__site(struct sis_unit *unit, struct sis_region *region);
#pragma GCC visibility pop

SIS__WHOLE void sis__enter(struct sis_unit *unit, struct sis_region *region);
SIS__WHOLE void sis__leave(struct sis_region *region);
SIS__WHOLE void sis__announce(struct sis_unit *unit, struct sis_region *region);

SIS__INLINE unsigned long long sis__now(void)
{
#if defined __x86_64__ || defined __i386__
	if (__builtin_expect(sis__clock_is_tsc, 1))
		return __builtin_ia32_rdtsc();
#endif
	return sis__clock_slow();
}

/* SIS_TIMING=1/N: a node whose activations are short has one in N timed, which then counts for N. Which one of each N
 * is a matter of chance, or what comes around in the same rhythm would be seen always or never. A node is timed each
 * time as long as none of its activations was short: `min` begins with the highest number. The
 * lowest bit of `start` says that this activation is not timed; `start` is then the time of the probe before, for what
 * ends it without one. */
#define SIS__SHORT 4096u /* ticks */
SIS__INLINE int sis__is_chosen(const struct sis__node *node)
{
	unsigned long long mask = sis__sampling - 1, k = node->calls - 1;
	unsigned long long chance = ((k & ~mask) + (unsigned long)node) * 0x9e3779b97f4a7c15u;
	return ((chance >> 32 ^ k) & mask) == 0;
}
SIS__INLINE void sis__start_sampled(struct sis__thread *self, struct sis__node *node)
{
	if (node->min >= SIS__SHORT || sis__is_chosen(node))
		node->start = (self->stamp = sis__now()) & ~1ull;
	else
		node->start = self->stamp | 1;
}

/* Enter region `id`: the child entered last is the one most often entered next.
 * Out of line: the call hides behind the clock (`make bench`: a pair is two clock reads either way), and the
 * compiler's time grows with every probe that it inlines: 3 ms each at -O2. */
SIS__WHOLE void sis__enter(struct sis_unit *unit, struct sis_region *region)
{
	unsigned id = region->id;
	struct sis__thread *self;
	struct sis__node *node;
	if (__builtin_expect((int)id < 0, 0)) {
		if (id != SIS_ID_OFF)
			sis__enter_special(unit, region);
		return;
	}
	self = sis__self;
	node = self->current->last_child;
	if (__builtin_expect(node->region != id, 0)) {
		node = sis__enter_slow(id);
		if (!node)
			return;
		self = sis__self; /* the slow path may have just made it */
	}
	node->calls++;
	self->current = node;
	if (__builtin_expect(sis__sampling != 0, 0)) {
		sis__start_sampled(self, node);
		return;
	}
	node->start = self->stamp = sis__now();
}

/* The call that follows has a wrapper of ours, which enters region `id` itself. */
SIS__WHOLE void sis__announce(struct sis_unit *unit, struct sis_region *region)
{
	unsigned id = region->id, n;
	if (__builtin_expect((int)id >= 0, 1)) {
		struct sis__thread *self = sis__self;
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

/* What is left of a leave once its ticks are in the total. */
SIS__INLINE void sis__end_activation(struct sis__thread *self, struct sis__node *node, unsigned long long now,
				     unsigned long long ticks)
{
	if (ticks < node->min)
		node->min = ticks;
	if (ticks > node->max)
		node->max = ticks;
	self->stamp = now;
	self->current = node->parent;
}

/* In a function of its own, so that the one for all has no more to save. */
SIS__ONCE void sis__leave_sampled(struct sis__thread *self, struct sis__node *node)
{
	unsigned long long now, ticks, weight = 1, excess = 0;
	if (node->min < SIS__SHORT) {
		weight = sis__sampling;
		excess = sis__sampling_excess;
	}
	now = sis__now();
	ticks = now - node->start;
	node->total += ticks > excess ? (ticks - excess) * weight : 0;
	sis__end_activation(self, node, now, ticks);
}

SIS__WHOLE void sis__leave(struct sis_region *region)
{
	unsigned id = region->id;
	struct sis__thread *self;
	struct sis__node *node;
	unsigned long long now, ticks;
	if (__builtin_expect((int)id < 0, 0)) {
		if (id != SIS_ID_OFF)
			sis__leave_special(region);
		return;
	}
	self = sis__self;
	node = self->current;
	if (__builtin_expect(node->region != id, 0)) {
		sis__leave_slow(id);
		return;
	}
	if (__builtin_expect(sis__sampling != 0, 0)) {
		if (node->start & 1)
			self->current = node->parent;
		else
			sis__leave_sampled(self, node);
		return;
	}
	now = sis__now();
	ticks = now - node->start;
	node->total += ticks;
	sis__end_activation(self, node, now, ticks);
}

#endif
