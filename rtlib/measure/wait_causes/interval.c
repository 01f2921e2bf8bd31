/* SPDX-License-Identifier: BSD-3-Clause */
/* interval.c - see interval.h. Called by the thread whose interval or wait it is.
 *
 * A look visits the nodes of the thread below the node of the team. It skips closed subtrees whose
 * top node has not run since the last look. A table has the inclusive time of each visited node at
 * the last look, including its open activation. Waits at barriers of the team itself are no part of
 * an interval, because an interval begins after the wait.
 *
 * LIMIT: the time of nodes beyond the first NODES_MOST, or deeper than DEPTH, counts for their
 * parent.
 * LIMIT: if looks are rare because barriers follow each other quickly, an interval includes up to
 * sis__interval_shortest() of the time before it. */
#include "base/ticks.h"
#include "measure/wait_causes/interval.h"

#include <sys/mman.h>

enum { DEPTH = 32, NODES_MOST = 64, PER_SECOND = 1000,
       TABLE_BITS = 9, TABLE = 1 << TABLE_BITS, PROBES = 4 };

struct sis_looked { /* of a thread, in private memory */
	struct seen { const struct sis_node *node, *top; uint64_t ticks; } seen[TABLE];
};

struct look {
	struct sis_thread *thread;
	const struct sis_node *top;
	uint64_t now, last;  /* ticks: of this look and of the look before */
	struct sis_node *open[DEPTH + 1]; /* from top to the current node; then NULL */
	unsigned visited;
	struct sis_interval *to;
};

uint64_t sis__interval_shortest(void)
{
	return sis__header()->ticks_per_second / PER_SECOND;
}

/* -- a look ------------------------------------------------------------------------------------ */

static struct seen *seen_of(const struct sis_thread *thread, const struct sis_node *top,
			    const struct sis_node *node)
{
	uint64_t key = ((uintptr_t)node >> 5) * SIS_HASH_MULTIPLIER +
		       ((uintptr_t)top >> 5) * SIS_HASH_SECOND;
	uint64_t first = sis_hash_top(key, TABLE_BITS);
	struct seen *seen = thread->looked->seen;
	for (uint64_t i = first; i < first + PROBES; i++) {
		struct seen *entry = &seen[i % TABLE];
		if (!entry->node || (entry->node == node && entry->top == top))
			return entry;
	}
	return &seen[first];
}

/* Whether the node may have run since the last look: it has begun since then, or its total has
 * changed. For a sampled node this is not known, so the result is true. */
static bool may_have_run(const struct look *look, const struct sis_node *node)
{
	const struct seen *seen = seen_of(look->thread, look->top, node);
	return node->start == SIS_START_SAMPLED || sis_node_start(node->start) >= look->last ||
	       (seen->node == node && seen->top == look->top && node->total != seen->ticks);
}

/* Returns the time in the node since the last look. The time of a sampled activation counts for its
 * parent. */
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

/* Notes a node's time if it is one of the longest times. Otherwise adds it to the others. */
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

static bool is_barrier(uint32_t id)
{
	uint32_t region = sis__region_fact(id)->builtin;
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

/* Visits the node and the nodes below it. Returns their ticks since the last look. */
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

/* Fills look->open. False: the current node is not below the node of the team, or is too deep
 * below it. */
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

/* Returns the time without a processor in a node in which the thread was for `ticks`. It is
 * proportional to `ticks`, because it is not known in which nodes the thread had no processor. */
static uint64_t lack_in(const struct sis_interval *interval, uint64_t ticks)
{
	uint64_t all = in_nodes(interval) + interval->others,
		 lack = interval->lack < all ? interval->lack : all;
	return sis__share(ticks, lack, all);
}

static const struct sis_spent *find_spent(const struct sis_interval *own, uint64_t path)
{
	static const struct sis_spent none;
	for (uint32_t i = 0; own && i < own->nodes; i++)
		if (own->spent[i].path == path)
			return &own->spent[i];
	return &none;
}

static bool is_wait(const struct sis_node *node)
{
	uint32_t region = sis_node_region(node);
	return is_barrier(region) ||
	       sis_overhead_in(sis_region_table[sis__region_fact(region)->type].leaf, OSYNC);
}

/* Whether a lack of a processor in this node made nobody wait, because the thread waited there
 * itself. A call of MPI asks again and again for what it waits for, and may lack a processor
 * meanwhile. */
static bool may_wait(const struct sis_node *node)
{
	return is_wait(node) ||
	       sis_region_in(sis__region_fact(sis_node_region(node))->type, CR_MPI);
}

struct charge { struct sis_thread *thread; struct sis_node *wait; uint32_t slot; };

static void charge(const struct charge *to, struct sis_node *node, unsigned flags, uint64_t ticks)
{
	sis__culprit(to->thread, to->wait, to->slot, (struct sis_where){ node, flags }, ticks);
}

/* The time of nodes that are not in `spent` is not charged, because these nodes are not known. The
 * culprit itself may have waited while the victim still worked. So the culprit's waits explain only
 * time that nothing else explains. */
void sis__interval_charge(struct sis_thread *thread, struct sis_node *wait, uint64_t ticks,
			  uint32_t slot, const struct sis_interval *last,
			  const struct sis_interval *own)
{
	const struct charge to = { thread, wait, slot };
	/* These are times that the culprit spent beyond those of the victim. longer: in each node.
	 * lack: the part of `longer` without a processor. late: without a processor at the begin of
	 * the interval. work: the sum over nodes that are no waits, and late. waits: the sum over
	 * the culprit's own waits. */
	uint64_t longer[SIS_INTERVAL_NODES], lack[SIS_INTERVAL_NODES],
		 late = less(last->late, own ? own->late : 0);
	uint64_t work = late + less(last->others, own ? own->others : 0), waits = 0;
	for (uint32_t i = 0; i < last->nodes; i++) {
		const struct sis_spent *at = &last->spent[i], *other = find_spent(own, at->path);
		uint64_t lacked = less(lack_in(last, at->ticks),
				       own ? lack_in(own, other->ticks) : 0);
		longer[i] = less(at->ticks, other->ticks);
		lack[i] = may_wait(at->node) ? 0 : lacked < longer[i] ? lacked : longer[i];
		*(is_wait(at->node) ? &waits : &work) += longer[i];
	}
	uint64_t by_work = work < ticks && waits ? work : ticks;
	for (uint32_t i = 0; i < last->nodes; i++) {
		struct sis_node *node = last->spent[i].node;
		uint64_t part = is_wait(node) ? ticks - by_work : by_work,
			 all = is_wait(node) ? waits : work;
		charge(&to, node, 0, sis__share(longer[i] - lack[i], part, all));
		charge(&to, node, SIS_CULPRIT_NO_PROCESSOR, sis__share(lack[i], part, all));
	}
	charge(&to, last->late_in, SIS_CULPRIT_NO_PROCESSOR, sis__share(late, by_work, work));
}
