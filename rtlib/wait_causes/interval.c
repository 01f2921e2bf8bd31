/* SPDX-License-Identifier: BSD-3-Clause */
/* interval.c - see interval.h. The thread whose interval or wait it is.
 *
 * A look visits the nodes of the thread below the team's, without closed subtrees whose top node
 * has not begun since the last look. A table has the inclusive time of each visited node at the
 * last look, with its open activation. Waits at barriers of the team itself are no part of an
 * interval: the time in them was before it began.
 *
 * LIMIT: what is below the first NODES_MOST nodes, or deeper than DEPTH, counts as its parent's.
 * LIMIT: if looks are rare because barriers follow each other quickly, an interval has up to
 * sis__interval_shortest() of the time before it. */
#include "wait_causes/interval.h"

#include <sys/mman.h>

enum { DEPTH = 32, NODES_MOST = 64, PER_SECOND = 1000,
       PLACE_BITS = 9, PLACES = 1 << PLACE_BITS, PROBES = 4 };

struct sis_looked { /* of a thread, in private memory */
	struct seen { const struct sis_node *node, *top; uint64_t ticks; } seen[PLACES];
};

struct look {
	struct sis_thread *thread;
	const struct sis_node *top;
	uint64_t now, last;  /* ticks: of this look and the one before */
	struct sis_node *open[DEPTH + 1]; /* from top to the current node; then NULL */
	unsigned visited;
	struct sis_interval *to;
};

uint64_t sis__interval_shortest(void)
{
	return sis__header()->ticks_per_second / PER_SECOND;
}

uint64_t sis__interval_ticks(uint64_t ns)
{
	return (uint64_t)((double)ns * ((double)sis__header()->ticks_per_second / 1e9));
}

/* -- a look ------------------------------------------------------------------------------------ */

static struct seen *seen_of(const struct sis_thread *thread, const struct sis_node *top,
			    const struct sis_node *node)
{
	uint64_t key = ((uintptr_t)node >> 5) * SIS_HASH_MULTIPLIER +
		       ((uintptr_t)top >> 5) * SIS_HASH_SECOND;
	uint64_t first = sis_hash_top(key, PLACE_BITS);
	struct seen *seen = thread->looked->seen;
	for (uint64_t i = first; i < first + PROBES; i++) {
		struct seen *place = &seen[i % PLACES];
		if (!place->node || (place->node == node && place->top == top))
			return place;
	}
	return &seen[first];
}

/* It has begun since the last look, or was open then. */
static bool may_have_run(const struct look *look, const struct sis_node *node)
{
	const struct seen *seen = seen_of(look->thread, look->top, node);
	return node->start == SIS_START_SAMPLED || sis_node_start(node->start) >= look->last ||
	       (seen->node == node && seen->top == look->top && node->total != seen->ticks);
}

/* Since the last look. The time of an activation that is sampled is its parent's here. */
static uint64_t ran_since(const struct look *look, const struct sis_node *node, bool open)
{
	uint64_t ticks = open ? sis__open_ticks(node, look->now) : 0;
	uint64_t inclusive = node->total + (ticks == SIS_NO_TICKS ? 0 : ticks);
	struct seen *seen = seen_of(look->thread, look->top, node);
	bool known = seen->node == node && seen->top == look->top;
	uint64_t before = known ? seen->ticks : 0, most = look->now - look->last;
	*seen = (struct seen){ node, look->top, inclusive };
	uint64_t ran = inclusive > before ? inclusive - before : 0;
	return ran < most ? ran : most;
}

/* Keeps the longest times. */
static void note(struct look *look, struct sis_node *node, uint64_t path, uint64_t ticks)
{
	struct sis_interval *to = look->to;
	uint32_t at = to->nodes;
	if (at == SIS_INTERVAL_NODES) {
		at = 0;
		for (uint32_t i = 1; i < SIS_INTERVAL_NODES; i++)
			at = to->spent[i].ticks < to->spent[at].ticks ? i : at;
		uint64_t least = to->spent[at].ticks;
		to->others += least < ticks ? least : ticks;
		if (least >= ticks)
			return;
	} else {
		to->nodes++;
	}
	to->spent[at] = (struct sis_spent){ node, path, ticks };
}

static bool is_barrier(uint32_t region)
{
	return region == RT_IBAR || region == RT_EBAR || region == RT_UNPAR || region == RT_PART ||
	       region == RT_COPYPRIV || region == RT_JOIN;
}

static bool is_team(uint32_t region)
{
	enum sis_region_type type = sis__region_fact(region)->type;
	return type == RT_PARALLEL || type == CR_OMPPA || type == CR_OMPPAFOR ||
	       type == CR_OMPPASEC;
}

struct step { struct sis_node *node; uint64_t path; unsigned depth; bool inner, wait; };

/* Returns the ticks in the node and below it. */
static uint64_t visit(struct look *look, struct step at)
{
	struct sis_node *node = at.node, *child = node->last_child;
	bool open = at.depth <= DEPTH && look->open[at.depth] == node;
	const struct sis_node *below = open && at.depth < DEPTH ? look->open[at.depth + 1] : NULL;
	uint64_t ran = ran_since(look, node, open), own = ran;
	look->visited++;
	for (uint32_t i = 0; i < node->children && at.depth < DEPTH; i++, child = child->next) {
		uint32_t region = sis_node_region(child);
		if (look->visited >= NODES_MOST)
			break;
		if (child != below && !may_have_run(look, child))
			continue;
		struct step to = { child, (at.path + region) * SIS_HASH_MULTIPLIER, at.depth + 1,
				   at.inner || is_team(region), is_barrier(region) };
		uint64_t ticks = visit(look, to);
		own = own > ticks ? own - ticks : 0;
	}
	if (own && (at.inner || !at.wait))
		note(look, node, at.path, own);
	return ran;
}

/* False: the current node is not below the team's, or too deep. */
static bool find_open(struct look *look)
{
	struct sis_node *node = look->thread->pub.current;
	unsigned depth = 0;
	for (const struct sis_node *n = node; n != look->top; n = n->parent)
		if (!n->parent || ++depth > DEPTH)
			return false;
	for (look->open[depth] = node; depth > 0; depth--)
		look->open[depth - 1] = look->open[depth]->parent;
	return true;
}

void sis__intervals_restart(const struct sis_thread *thread)
{
	if (thread->looked)
		__builtin_memset(thread->looked, 0, sizeof *thread->looked);
}

void sis__interval_begin(const struct sis_thread *thread, const struct sis_node *top)
{
	if (thread->looked)
		*seen_of(thread, top, top) = (struct seen){ top, top, top->total };
}

void sis__interval_look(struct sis_thread *thread, const struct sis_node *top, uint64_t last,
			struct sis_interval *interval)
{
	struct look look = { .thread = thread, .top = top, .now = interval->to, .last = last,
			     .to = interval };
	interval->nodes = 0;
	interval->others = 0;
	if (!thread->looked) {
		void *table = mmap(NULL, sizeof *thread->looked, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		thread->looked = table == MAP_FAILED ? NULL : table;
	}
	if (thread->looked && find_open(&look))
		visit(&look, (struct step){ .node = look.open[0] });
}

/* -- a wait ------------------------------------------------------------------------------------ */

static uint64_t less(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

static uint64_t in_nodes(const struct sis_interval *interval)
{
	uint64_t ticks = 0;
	for (uint32_t i = 0; interval && i < interval->nodes; i++)
		ticks += interval->spent[i].ticks;
	return ticks;
}

/* Of `ticks` in a node of the interval, the part without a processor. In which nodes it had none is
 * not known. */
static uint64_t lack_in(const struct sis_interval *interval, uint64_t ticks)
{
	uint64_t all = in_nodes(interval) + interval->others,
		 lack = interval->lack < all ? interval->lack : all;
	return all ? (uint64_t)((double)ticks * ((double)lack / (double)all)) : 0;
}

static const struct sis_spent *find(const struct sis_interval *own, uint64_t path)
{
	static const struct sis_spent none;
	for (uint32_t i = 0; own && i < own->nodes; i++)
		if (own->spent[i].path == path)
			return &own->spent[i];
	return &none;
}

/* What the culprit did longer than the victim. */
struct excess {
	/* by node: all, and of it without a processor; at the begin of the interval */
	uint64_t ticks[SIS_INTERVAL_NODES], lack[SIS_INTERVAL_NODES], late;
	double work, waits; /* the sums: of work and lacks, and of the culprit's own waits */
};

static bool is_wait(const struct sis_node *node)
{
	uint32_t region = sis_node_region(node);
	return is_barrier(region) ||
	       sis_overhead_in(sis_region_table[sis__region_fact(region)->type].leaf, OSYNC);
}

static void compare(struct excess *e, const struct sis_interval *last,
		    const struct sis_interval *own)
{
	*e = (struct excess){ .late = less(last->late, own ? own->late : 0) };
	e->work = (double)(e->late + less(last->others, own ? own->others : 0));
	for (uint32_t i = 0; i < last->nodes; i++) {
		const struct sis_spent *at = &last->spent[i], *other = find(own, at->path);
		uint64_t lack = less(lack_in(last, at->ticks),
				     own ? lack_in(own, other->ticks) : 0);
		e->ticks[i] = less(at->ticks, other->ticks);
		e->lack[i] = lack < e->ticks[i] ? lack : e->ticks[i];
		*(is_wait(at->node) ? &e->waits : &e->work) += (double)e->ticks[i];
	}
}

struct charge { struct sis_thread *thread; struct sis_node *wait; uint32_t slot; };

static void charge(const struct charge *to, struct sis_node *node, unsigned flags, double ticks)
{
	sis__culprit(to->thread, to->wait, to->slot, (struct sis_where){ node, flags },
		     (uint64_t)ticks);
}

/* What is due to the other nodes is not charged: the place is not known.
 * It is not known when the culprit waited itself: perhaps while the victim still worked. So its
 * waits explain only what the rest does not. */
void sis__interval_charge(struct sis_thread *thread, struct sis_node *wait, uint64_t ticks,
			  uint32_t slot, const struct sis_interval *last,
			  const struct sis_interval *own)
{
	const struct charge to = { thread, wait, slot };
	struct excess e;
	compare(&e, last, own);
	double all = (double)ticks, by_work = e.work < all && e.waits > 0 ? e.work : all,
	       work = e.work > 0 ? by_work / e.work : 0,
	       waits = e.waits > 0 ? (all - by_work) / e.waits : 0;
	for (uint32_t i = 0; i < last->nodes; i++) {
		struct sis_node *node = last->spent[i].node;
		double part = is_wait(node) ? waits : work;
		charge(&to, node, 0, part * (double)(e.ticks[i] - e.lack[i]));
		charge(&to, node, SIS_CULPRIT_NO_PROCESSOR, part * (double)e.lack[i]);
	}
	charge(&to, last->late_in, SIS_CULPRIT_NO_PROCESSOR, work * (double)e.late);
}
