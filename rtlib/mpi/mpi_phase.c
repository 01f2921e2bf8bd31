/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_phase.c - phases: what a thread ran between two collectives, or other calls of MPI. The
 * thread itself, before a call.
 *
 * If one process comes late to a collective, the analyzer must know whether it was alone in a
 * region of its own (loss of parallelism) or longer in a region that all execute (imbalance). So
 * before a collective the thread records which nodes ran since its last one, each with its
 * exclusive ticks since then.
 *
 * `seen` of a node is its inclusive time at the last look, with that of the open activation. A look
 * visits the nodes on the path from the current node to the root, and the closed subtrees below
 * them that have changed. A subtree whose top node has not run since the last look is skipped.
 *
 * A look must cost little of the time that it explains. A phase shorter than SHORTEST is written
 * only if the collective at its end lasted at least SHORTEST, which is known after the collective.
 * The record of such a phase shows which nodes did *not* run in it. If short phases follow each
 * other, there is a look every SHORTEST. So the time from before a phase that is counted in the
 * phase is at most SHORTEST. Such a look may come after a short phase has begun, and before the
 * phase is written. Then the nodes that ran in the phase before the look are written, too, without
 * their time.
 *
 * Other calls end a phase, too, because what a sender ran just before its send is why its receiver
 * waited. There may be many of them. So a run has at most MESSAGE_PHASES such phases each time that
 * its length grows by a factor of e, and none after an eighth of the log is full. A later phase is
 * longer, and what the analyzer says of a part of it is an estimate.
 */
#include <stdatomic.h>

#include "profile/text.h"
#include "core/drg.h"
#include "process/no_processor.h"
#include "mpi/mpi_call.h"

enum {
	/* 1 ms: a look at some hundred nodes costs microseconds, less than 1 % */
	SHORTEST_PER_SECOND = 1000,
	LONG_PER_SECOND = 100,      /* 10 ms: in such a call it is asked for a lack of processors */
	MESSAGE_PHASES = 1024,
	ENTRIES_MOST = 4096,        /* of a phase: 64 KiB of the log */
	CLIMB_MOST = 64,
	SIZES = 65,
};

struct look {
	/* innermost open node when the phase began; NULL: the phase is the run */
	struct sis_node *phase_node;
	/* ticks: of this look; of the last one, or the phase's begin if that was earlier; of the
	 * phase's begin */
	uint64_t now, last, begin;
	uint64_t length;             /* of the phase */
	uint64_t sizes[SIZES];       /* number of entries by the bits of their ticks */
	/* bits that the ticks of an entry need to be written; with exactly so many bits ... */
	unsigned smallest;
	uint64_t spare;              /* ... only so many entries are */
	uint64_t count, room;        /* entries written, and in all */
	struct sis_phase_entry *entry; /* where they are written */
};

/* With the open activation. The time of one that is sampled is its parent's here. */
static uint64_t inclusive_ticks(const struct look *look, const struct sis_node *node, bool open)
{
	uint64_t ticks = open ? sis__open_ticks(node, look->now) : 0;
	return node->total + (ticks == SIS_NO_TICKS ? 0 : ticks);
}

/* Whether the last activation began at the time or later. If it is sampled, that is not known. */
static bool began_since(const struct sis_node *node, uint64_t time)
{
	return node->start != SIS_START_SAMPLED && sis_node_start(node->start) >= time;
}

static uint64_t ran(const struct look *look, const struct sis_node *node, bool open)
{
	uint64_t inclusive = inclusive_ticks(look, node, open);
	return inclusive > node->seen ? inclusive - node->seen : 0;
}

static bool was_open(const struct look *look, const struct sis_node *node)
{
	const struct sis_node *n = look->phase_node;
	for (int i = 0; n && i < CLIMB_MOST; i++, n = n->parent)
		if (n == node)
			return true;
	return false;
}

static bool in_phase(const struct look *look, const struct sis_node *node, bool open)
{
	return open || began_since(node, look->begin) ||
	       (node->total != node->seen && was_open(look, node));
}

/* Ticks of the node itself; `below` is its open child, NULL none. */
static uint64_t exclusive(const struct look *look, const struct sis_node *node, bool open,
			  const struct sis_node *below)
{
	uint64_t ticks = ran(look, node, open), children = 0;
	const struct sis_node *child = node->last_child;
	for (uint32_t i = 0; i < node->children; i++, child = child->next)
		children += ran(look, child, child == below);
	ticks = ticks > children ? ticks - children : 0;
	return ticks < look->length ? ticks : look->length;
}

static unsigned bits(uint64_t ticks)
{
	return ticks ? 64u - (unsigned)__builtin_clzll(ticks) : 0;
}

static void count_node(struct look *look, struct sis_node *node, bool open,
		       const struct sis_node *below)
{
	if (in_phase(look, node, open))
		look->sizes[bits(exclusive(look, node, open, below))]++;
}

static void write_node(struct look *look, struct sis_node *node, bool open,
		       const struct sis_node *below)
{
	if (look->count == look->room || !in_phase(look, node, open))
		return;
	uint64_t ticks = exclusive(look, node, open, below);
	if (bits(ticks) < look->smallest || (bits(ticks) == look->smallest && look->spare == 0))
		return;
	look->spare -= bits(ticks) == look->smallest;
	look->entry[look->count++] = (struct sis_phase_entry){ node, ticks };
}

static void see_node(struct look *look, struct sis_node *node, bool open,
		     const struct sis_node *below)
{
	(void)below;
	node->seen = inclusive_ticks(look, node, open);
}

typedef void visit_fn(struct look *, struct sis_node *, bool open, const struct sis_node *below);

/* The node after `node` in the tree below `top`, parents first; NULL: that was the last. */
static struct sis_node *after(struct sis_node *node, const struct sis_node *top, bool descend)
{
	if (descend && node->children)
		return node->last_child->next;
	while (node == node->parent->last_child) {
		node = node->parent;
		if (node == top)
			return NULL;
	}
	return node->next;
}

/* Visits all that ran in closed activations below the open node `top`; `open` is its open child. */
static void visit_closed(struct look *look, const struct sis_node *top, const struct sis_node *open,
			 visit_fn *visit)
{
	struct sis_node *node = top->children ? top->last_child->next : NULL;
	while (node) {
		bool changed = node != open &&
			       (node->total != node->seen || began_since(node, look->last));
		if (changed)
			visit(look, node, false, NULL);
		node = after(node, top, changed);
	}
}

/* Up to three times for a look: to count the entries, to write them, and to update `seen`. */
static void visit_all(struct look *look, struct sis_node *current, visit_fn *visit)
{
	const struct sis_node *below = NULL;
	for (struct sis_node *node = current; node; below = node, node = node->parent) {
		visit_closed(look, node, below, visit);
		visit(look, node, true, below);
	}
}

static void tell_too_many(void)
{
	static _Atomic bool said;
	if (!atomic_exchange_explicit(&said, true, memory_order_relaxed))
		sis__text(
			"warning",
			"a phase between collectives had more than %d regions: only the longest "
			"are looked "
			"at to tell lost parallelism from imbalance",
			ENTRIES_MOST);
}

/* How many entries there will be: all, or the largest. */
static uint64_t entries(struct look *look)
{
	uint64_t count = 0;
	look->spare = UINT64_MAX;
	for (unsigned size = SIZES; size-- > 0;) {
		if (count + look->sizes[size] > ENTRIES_MOST) {
			look->smallest = size;
			look->spare = ENTRIES_MOST - count;
			tell_too_many();
			return ENTRIES_MOST;
		}
		count += look->sizes[size];
	}
	return count;
}

/* The phase ended at `end`, which may be before the look. */
static struct sis_record *write_phase(struct sis_thread *thread, struct look *look, uint64_t end)
{
	visit_all(look, thread->pub.current, count_node);
	uint64_t count = entries(look);
	uint64_t payload = (count * sizeof(struct sis_phase_entry) + 63) & ~(uint64_t)63;
	struct sis_record *record = sis__record(thread, payload);
	if (!record)
		return NULL;
	*record = (struct sis_record){
		.enter = look->begin,
		.exit = end,
		.node = thread->pub.current,
		.bytes = payload,
		.serial = count,
		.peer = -1,
		.tag = -1,
		.kind = SIS_RECORD_PHASE,
	};
	look->entry = (struct sis_phase_entry *)(record + 1);
	look->room = count;
	visit_all(look, thread->pub.current, write_node);
	return record;
}

uint64_t sis__mpi_shortest, sis__mpi_long = UINT64_MAX / 2;

static uint64_t shortest_phase(void)
{
	/* racing threads store the same */
	uint64_t shortest = __atomic_load_n(&sis__mpi_shortest, __ATOMIC_RELAXED);
	if (SIS_UNLIKELY(!shortest)) {
		shortest = sis__header()->ticks_per_second / SHORTEST_PER_SECOND;
		__atomic_store_n(&sis__mpi_long, sis__header()->ticks_per_second / LONG_PER_SECOND,
				 __ATOMIC_RELAXED);
		__atomic_store_n(&sis__mpi_shortest, shortest, __ATOMIC_RELAXED);
	}
	return shortest;
}

static void set_due(struct sis_thread *thread, uint64_t now)
{
	uint64_t gap = (now - thread->pub.root->start) / MESSAGE_PHASES;
	uint64_t due = now + (gap > shortest_phase() ? gap : shortest_phase());
	bool full = thread->record_before > sis__config.record_bytes / 8;
	thread->phase_due = full ? UINT64_MAX : due;
}

/* A look at `now` at a phase that ended at `end`, which is written if it is at least `shortest`.
 * Returns the time after the look. */
static uint64_t look_at(struct sis_thread *thread, uint64_t now, uint64_t end, uint64_t shortest,
			struct sis_record **record)
{
	uint64_t begin = thread->phase_start ? thread->phase_start : thread->pub.root->start;
	struct look look = { .phase_node = thread->phase_node,
			     .now = now,
			     .last = thread->phase_look < begin ? thread->phase_look : begin,
			     .begin = begin,
			     .length = now - begin };
	sis__no_processor_look(thread, 0, now);
	*record = end - begin >= shortest ? write_phase(thread, &look, end) : NULL;
	visit_all(&look, thread->pub.current, see_node);
	thread->phase_look = now;
	set_due(thread, now);
	uint64_t after_look = sis__ticks();
	sis__book(thread, thread->pub.current, RT_PROBE, after_look - now);
	return after_look;
}

struct sis_record *sis__mpi_phase(struct sis_thread *thread, bool last, uint64_t *now)
{
	uint64_t shortest = shortest_phase();
	struct sis_record *record = NULL;
	if (SIS_UNLIKELY(last || *now - thread->phase_look >= shortest))
		*now = look_at(thread, *now, *now, last ? 0 : shortest, &record);
	return record;
}

/* The first call of a thread only says when the next look is due. */
struct sis_record *sis__mpi_message_phase(struct sis_thread *thread, uint64_t *now)
{
	struct sis_record *record = NULL;
	if (*now < thread->phase_due)
		return NULL;
	if (!thread->phase_due) {
		set_due(thread, *now);
		return NULL;
	}
	*now = look_at(thread, *now, *now, 0, &record);
	thread->phase_start = *now;
	thread->phase_node = thread->pub.current;
	return record;
}

/* The collective lasted long, after a phase that was too short for a look before it. */
void sis__mpi_phase_missed(struct sis_thread *thread, uint64_t enter, uint64_t exit)
{
	struct sis_record *record;
	uint64_t shortest = shortest_phase();
	if (exit - enter >= shortest && enter - thread->phase_start < shortest)
		look_at(thread, exit, enter, 0, &record);
}
