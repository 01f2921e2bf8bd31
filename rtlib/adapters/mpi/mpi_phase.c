/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_phase.c - phases: which nodes a thread ran between two collectives, or other calls of MPI.
 * Called by the thread itself, before a call of MPI.
 *
 * If one process comes late to a collective, the analyzer must know the reason. The process may
 * have been in a region that no other one executes (loss of parallelism), or longer than others in
 * a region that all execute (imbalance). So before a collective the thread records the nodes that
 * ran since its last collective, with their exclusive ticks since then.
 *
 * `seen` of a node is its inclusive time at the last look, including the time of the open
 * activation. A look visits the nodes on the path from the current node to the root, and the closed
 * subtrees below these nodes. A subtree whose top node has not run since the last look is skipped.
 *
 * A look must be short compared with the phase that it explains. SHORTEST is sis__mpi_shortest, 1
 * ms. A phase shorter than SHORTEST is written only if the collective at its end lasted at least
 * SHORTEST, which is known after the collective.
 * The record of such a phase shows which nodes did *not* run in it. If short phases follow each
 * other, a look comes each time that SHORTEST has passed. So a phase may include time from before
 * its begin, but at most SHORTEST. Such a look may come after a short phase has begun, and before
 * the phase is written. Then the nodes that ran in the phase before this look are written, too,
 * without their time.
 *
 * Other calls also end a phase: the receiver of a message waits because of what the sender ran just
 * before its send. There may be many such calls. So their number is limited: at most MESSAGE_PHASES
 * are written each time that the length of the run grows by a factor of e, and none after an eighth
 * of the log is full. Later phases are longer. If the analyzer needs a part of such a phase, it
 * estimates this part.
 */
#include <stdatomic.h>

#include "output/profile/text.h"
#include "measure/core/drg.h"
#include "process/no_processor.h"
#include "adapters/mpi/mpi_call.h"

enum {
	/* 1 ms: a look at some hundred nodes costs microseconds, less than 1 % */
	SHORTEST_PER_SECOND = 1000,
	LONG_PER_SECOND = 100,      /* 10 ms: after such a call, looks for a lack of processors */
	MESSAGE_PHASES = 1024,
	ENTRIES_MOST = 4096,        /* entries of a phase: 64 KiB of the log */
	CLIMB_MOST = 64,
	SIZES = 65,
};

struct look {
	/* innermost open node when the phase began; NULL: the phase began with the run */
	struct sis_node *phase_node;
	/* ticks. `now`: this look. `last`: the last look, or the phase's begin if that was earlier.
	 * `begin`: the phase's begin */
	uint64_t now, last, begin;
	uint64_t length;             /* of the phase */
	uint64_t sizes[SIZES];       /* number of entries by the bits of their ticks */
	/* entries are written if their ticks have at least this number of bits ... */
	unsigned smallest;
	uint64_t spare;              /* ... but at most `spare` entries with exactly this number */
	uint64_t count, room;        /* entries that are written, and entries in all */
	struct sis_phase_entry *entry; /* where the entries are written */
};

/* The inclusive time of a node, including its open activation. If the open activation is sampled,
 * its time is counted for the parent. */
static uint64_t inclusive_ticks(const struct look *look, const struct sis_node *node, bool open)
{
	uint64_t ticks = open ? sis__open_ticks(node, look->now) : 0;
	return node->total + (ticks == SIS_NO_TICKS ? 0 : ticks);
}

/* Whether the last activation began at `time` or later. False if it is sampled: its begin is not
 * known. */
static bool began_since(const struct sis_node *node, uint64_t time)
{
	return node->start != SIS_START_SAMPLED && sis_node_start(node->start) >= time;
}

static uint64_t ran(const struct look *look, const struct sis_node *node, bool open)
{
	uint64_t inclusive = inclusive_ticks(look, node, open);
	return inclusive > node->seen ? inclusive - node->seen : 0;
}

static bool in_phase(const struct look *look, const struct sis_node *node, bool open)
{
	if (open || began_since(node, look->begin))
		return true;
	/* whether the node has run since the last look, and was open when the phase began */
	const struct sis_node *n = node->total != node->seen ? look->phase_node : NULL;
	for (int i = 0; n && i < CLIMB_MOST; i++, n = n->parent)
		if (n == node)
			return true;
	return false;
}

/* The exclusive ticks of the node. `below` is its open child; NULL: it has none. */
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

/* The node after `node` in the tree below `top`, parents first; NULL: `node` was the last. */
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

/* Visits the open nodes, and all nodes below them that ran in closed activations. A look calls this
 * up to three times: to count the entries, to write the entries, and to update `seen`. */
static void visit_all(struct look *look, struct sis_node *current, visit_fn *visit)
{
	const struct sis_node *below = NULL;
	for (struct sis_node *node = current; node; below = node, node = node->parent) {
		struct sis_node *closed = node->children ? node->last_child->next : NULL;
		while (closed) {
			bool changed = closed != below && (closed->total != closed->seen ||
							   began_since(closed, look->last));
			if (changed)
				visit(look, closed, false, NULL);
			closed = after(closed, node, changed);
		}
		visit(look, node, true, below);
	}
}

/* Returns the number of entries to write. If there are too many, selects the largest, and warns
 * once. */
static uint64_t count_entries(struct look *look)
{
	static _Atomic bool said;
	uint64_t count = 0;
	unsigned size = SIZES;
	look->spare = UINT64_MAX;
	while (size > 0 && count + look->sizes[size - 1] <= ENTRIES_MOST)
		count += look->sizes[--size];
	if (size == 0)
		return count;
	look->smallest = size - 1;
	look->spare = ENTRIES_MOST - count;
	if (!atomic_exchange_explicit(&said, true, memory_order_relaxed))
		sis__text("warning",
			  "a phase between collectives had more than %d regions: only the longest "
			  "are looked at to tell lost parallelism from imbalance",
			  ENTRIES_MOST);
	return ENTRIES_MOST;
}

/* Writes the phase. Its end, `end`, may be before the look. */
static struct sis_record *write_phase(struct sis_thread *thread, struct look *look, uint64_t end)
{
	visit_all(look, thread->pub.current, count_node);
	uint64_t count = count_entries(look);
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
	/* threads that do this at the same time store the same value */
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

/* A look, at `now`, at a phase that ended at `end`. Writes the phase if its length is at least
 * `shortest`. Returns the time after the look. */
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

/* The first call in a thread only sets when the next look is due. */
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

/* Writes a phase that was too short for a look before the collective, because the collective took
 * long. */
void sis__mpi_phase_missed(struct sis_thread *thread, uint64_t enter, uint64_t exit)
{
	struct sis_record *record;
	uint64_t shortest = shortest_phase();
	if (exit - enter >= shortest && enter - thread->phase_start < shortest)
		look_at(thread, exit, enter, 0, &record);
}
