/* SPDX-License-Identifier: BSD-3-Clause */
/* drg.c - the dynamic region call graph: finds, makes, begins and ends nodes. Called by the thread
 * that fills the slot, on its slow paths, or by another thread that knows that the slot is idle.
 *
 * Every slot has its own tree (drawn in profile.h), so there is nothing to lock. children.h finds
 * the child of a node. A new node is complete before it is linked, so that a reader of the file
 * always sees a ring. Recursion deeper than SIS_RECURSION makes no nodes (fold.c).
 */
#include "base/config.h"
#include "base/lock.h"
#include "output/profile/store.h"
#include "measure/counters/counter.h"
#include "measure/counters/values.h"
#include "output/trace/tracing.h"
#include "measure/core/balance.h"
#include "measure/core/children.h"
#include "measure/core/drg.h"
#include "measure/core/fold.h"
#include "measure/core/overlap_list.h"
#include "measure/core/routine_off.h"

#include <sys/mman.h>

enum { NODES_FIRST = 32 << 10, NODES_MOST = 256 << 10, INDEX_FIRST = 1024,
       ESTIMATES = 16 << 10 /* bytes of a chunk */, CHILDREN_MOST = (1 << 24) - 1 };

/* -- memory: chunks double, so a small tree takes a few pages and a large one few chunks ------ */

bool sis__nodes_full;

static struct sis_node *node_new(struct sis_thread *thread)
{
	uint64_t size = thread->nodes ? thread->nodes->size * 2 : NODES_FIRST;
	if (thread->node_count >= sis__config.nodes) {
		sis__nodes_full = true;
		return NULL;
	}
	struct sis_node *node = sis__from_chunk(thread, &thread->nodes, SIS_CHUNK_NODES,
						sizeof *node,
						size > NODES_MOST ? NODES_MOST : size);
	if (!node)
		return NULL;
	node->last_child = &sis__no_node;
	node->min = UINT64_MAX;
	thread->nodes->used += sizeof *node;
	thread->node_count++;
	return node;
}

/* Constructs and calls of OpenMP that programs may execute a hundred million times a second. Waits
 * in them are timed at any rung (sis__time_wait). */
static enum sis_rung lowest_of_construct(enum sis_region_type type)
{
	switch (type) {
	case CR_OMPBARRIER:
	case CR_OMPCRITICAL:
	case CR_OMPLOCK:
	case CR_OMPMASKED:
	case CR_OMPORDERED:
	case CR_OMPSINGLE:
	case CR_OMPTASK:
	case CR_OMPTASKGROUP:
	case CR_OMPTASKWAIT:
	case CR_OMPTASKYIELD:
		return SIS_RUNG_SAMPLED;
	case CR_OMPATOMIC: /* contention shows in the mean of the timed activations */
	case CR_OMPFLUSH:
	case CR_OMPTASKBODY: /* the runtime enters it */
		return SIS_RUNG_FRACTION;
	default:
		return SIS_RUNG_FULL;
	}
}

enum sis_rung sis__region_lowest_rung(uint32_t id)
{
	const struct sis_region_fact *fact = sis__region_fact(id);
	if (fact->set)
		return SIS_RUNG_FULL;
	if (fact->routine != SIS_MPI_ROUTINES)
		return sis__routine_only_asks(fact->routine) ? SIS_RUNG_FRACTION : SIS_RUNG_FULL;
	if (sis_region_sampled(fact->type))
		return SIS_RUNG_SAMPLED;
	return lowest_of_construct(fact->type);
}

bool sis__region_off_in_budget(uint32_t id)
{
	const struct sis_region_fact *fact = sis__region_fact(id);
	switch (fact->type) {
	case CR_OMPTASK:
	case CR_OMPTASKBODY:
		return __atomic_load_n(&fact->at_once, __ATOMIC_RELAXED); /* a hint */
	default:
		return sis_region_sampled(fact->type) ||
		       lowest_of_construct(fact->type) == SIS_RUNG_SAMPLED;
	}
}

bool sis__region_is_brief(uint32_t id)
{
	const struct sis_region_fact *fact = sis__region_fact(id);
	return fact->type == CR_OMPATOMIC || fact->type == CR_OMPFLUSH ||
	       sis__routine_is_brief(fact->routine);
}

/* If there is no memory for its estimate, the node is timed each time. */
static void begin_rung(struct sis_thread *thread, struct sis_node *node)
{
	struct sis_estimate *estimate = sis__from_chunk(thread, &thread->estimates,
							SIS_CHUNK_ESTIMATES, sizeof *estimate,
							ESTIMATES);
	if (!estimate)
		return;
	estimate->node = node;
	estimate->rungs = 1u << sis__config.rung;
	estimate->rung = sis__config.rung;
	thread->estimates->used += sizeof *estimate;
	node->estimate = estimate;
	node->rung = (uint8_t)sis__config.rung;
}

struct sis_node *sis__root_new(struct sis_thread *thread)
{
	struct sis_node *root = node_new(thread);
	if (root) {
		root->next = root;
		__atomic_store_n(&root->region, RT_RUN, __ATOMIC_RELEASE); /* as in make_child */
	}
	return root;
}

/* -- the index (children.h): private memory ---------------------------------------------------- */

static bool index_failed; /* an index could not grow: later ones are incomplete */

static void index_put(struct sis_index *index, struct sis_node *node)
{
	*sis__index_place(index, node->parent, sis_node_region(node), sis__origin_of(node)) = node;
	index->used++;
}

/* Makes room for `more` nodes in the table. False: there is no memory, and the table stays as it
 * is. */
static bool index_reserve(struct sis_thread *thread, uint64_t more)
{
	struct sis_index *old = thread->index;
	uint64_t slots = old ? old->slots : INDEX_FIRST;
	uint64_t used = old ? old->used : 0;
	while ((used + more) * 2 > slots)
		slots *= 2;
	if (old && slots == old->slots)
		return true;
	struct sis_index *index = mmap(NULL, sizeof *index + slots * sizeof index->slot[0],
				       PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (index == MAP_FAILED) {
		index_failed = true;
		if (old)
			old->incomplete = true;
		return false;
	}
	index->slots = slots;
	for (uint64_t i = 0; old && i < old->slots; i++)
		if (old->slot[i])
			index_put(index, old->slot[i]);
	index->incomplete = index_failed;
	thread->index = index;
	if (old)
		munmap(old, sizeof *old + old->slots * sizeof old->slot[0]);
	return true;
}

/* When a parent gets more than SIS_INDEXED children, all its children are added to the index. From
 * then on, each new child is added. */
static void index_add(struct sis_thread *thread, struct sis_node *parent, struct sis_node *node)
{
	uint32_t more = parent->children == SIS_INDEXED + 1 ? parent->children : 1;
	if (parent->children <= SIS_INDEXED || !index_reserve(thread, more))
		return;
	struct sis_node *child = node;
	do
		index_put(thread->index, child);
	while (--more && (child = child->next));
}

/* -- children ---------------------------------------------------------------------------------- */

static struct sis_node *make_child(struct sis_thread *thread, struct sis_node *parent, uint32_t id,
				   struct sis_node *origin)
{
	const struct sis_region_fact *fact = sis__region_fact(id);
	struct sis_values *values = origin ? sis__values_new(thread, fact->set, origin) : NULL;
	bool room = (!origin || values) && parent->children < CHILDREN_MOST;
	struct sis_node *node = room ? node_new(thread) : NULL;
	if (!node) {
		thread->pub.dropped_nodes++;
		return NULL;
	}
	struct sis_node *last = parent->last_child;
	node->values = values;
	/* SIS_TIMING applies to regions of the program's own work */
	if (SIS_UNLIKELY(sis__config.rung) && !values && !fact->set &&
	    fact->routine == SIS_MPI_ROUTINES && sis_region_sampled(fact->type))
		begin_rung(thread, node);
	node->parent = parent;
	node->next = parent->children ? last->next : node;
	/* The sampler reads a node as soon as the node has a region. Only complete nodes are in the
	 * ring, so that a copy of the file at any time has only complete nodes in it. */
	__atomic_store_n(&node->region, id, __ATOMIC_RELEASE);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	if (parent->children)
		last->next = node;
	parent->last_child = node;
	parent->children++;
	index_add(thread, parent, node);
	return node;
}

/* Whether making the next node needs no system call, and so takes little time. */
static bool is_quick(const struct sis_thread *thread, const struct sis_node *parent,
		     const struct sis_node *origin)
{
	const struct sis_chunk *chunk = thread->nodes;
	const struct sis_index *index = thread->index;
	if (origin || !chunk || chunk->used + sizeof *parent > chunk->size - sizeof *chunk)
		return false;
	return parent->children < SIS_INDEXED ||
	       (index && (index->used + SIS_INDEXED + 1) * 2 <= index->slots);
}

/* If making the node takes long, signal handlers are delayed (sis__guard_alone). If it is quick, a
 * handler that interrupts it is not measured (sis__guard). */
static __attribute__((noinline)) struct sis_node *make_child_guarded(struct sis_thread *thread,
								     struct sis_node *parent,
								     uint32_t id,
								     struct sis_node *origin)
{
	sigset_t before;
	bool quick = is_quick(thread, parent, origin);
	if (quick)
		sis__guard();
	else
		sis__guard_alone(&before);
	struct sis_node *node = make_child(thread, parent, id, origin);
	if (quick)
		sis__unguard();
	else
		sis__unguard_alone(&before);
	return node;
}

SIS_EXPORT struct sis_node *sis__child(struct sis_thread *thread, struct sis_node *parent,
				       uint32_t id, struct sis_node *origin)
{
	struct sis_node *node = sis__known_child(thread, parent, id, origin);
	return SIS_LIKELY(node != NULL) ? node : make_child_guarded(thread, parent, id, origin);
}

struct sis_node *sis__node_to_enter(struct sis_thread *thread, uint32_t id, struct sis_node *origin,
				    bool *folds)
{
	struct sis_node *parent = thread->pub.current, *node = NULL;
	*folds = false;
	if (parent->region != (id | SIS_NODE_FOLDS))
		node = sis__known_child(thread, parent, id, origin);
	if (SIS_LIKELY(node != NULL))
		return node;
	node = sis__fold_target(thread, id);
	if (!node)
		return make_child_guarded(thread, parent, id, origin);
	*folds = true;
	if (SIS_LIKELY(sis__fold_reserve(thread, node)))
		return node;
	thread->pub.dropped_nodes++;
	return NULL;
}

/* -- activations ------------------------------------------------------------------------------- */

void sis__enter_node(struct sis_thread *thread, struct sis_node *node, bool folds, uint64_t now)
{
	if (SIS_UNLIKELY(folds)) {
		sis__fold_begin(thread, node, now);
		return;
	}
	thread->pub.current = node;
	node->start = thread->pub.stamp = now;
}

/* If `now` is 0, the clock is read as late as possible. */
SIS_EXPORT struct sis_node *sis__begin(struct sis_thread *thread, uint32_t id, uint64_t now)
{
	bool folds;
	struct sis_node *node = sis__node_to_enter(thread, id, NULL, &folds);
	if (!node)
		return NULL;
	uint32_t set = sis__region_fact(id)->set;
	if (SIS_UNLIKELY(set) && !folds)
		sis__counters_begin(thread, node, set);
	node->calls++;
	if (SIS_UNLIKELY(thread->trace != NULL))
		sis__trace_enter(thread, id, now);
	if (!now)
		now = sis__ticks();
	sis__enter_node(thread, node, folds, now);
	return node;
}

/* `now` may be before the start, if it was read on another processor or earlier by the caller. */
uint64_t sis__shut(struct sis_thread *thread, uint64_t now)
{
	struct sis_node *node = thread->pub.current;
	bool folded = sis__fold_of(thread, sis__innermost(thread)) != NULL;
	if (SIS_UNLIKELY(node->values != NULL) && !folded)
		sis__counters_end(node);
	if (SIS_UNLIKELY(thread->trace != NULL))
		sis__trace_leave(thread, now);
	if (SIS_UNLIKELY(folded))
		return sis__fold_end(thread, now);
	uint64_t ticks = sis__open_ticks(node, now);
	thread->pub.stamp = now;
	if (SIS_LIKELY(ticks != SIS_NO_TICKS)) {
		node->total += ticks;
		sis__add_inside_of(node->parent, ticks);
	}
	thread->pub.current = node->parent;
	return ticks;
}

void sis__close_current(struct sis_thread *thread, uint64_t now)
{
	struct sis_activation ended = sis__innermost(thread);
	uint64_t ticks = sis__shut(thread, now);
	if (SIS_UNLIKELY(thread->overlaps))
		sis__overlap_finish(thread, ended, ticks);
	else if (SIS_LIKELY(ticks != SIS_NO_TICKS))
		sis__add_extremes(ended.node, ticks);
}

void sis__unwind(struct sis_thread *thread, uint64_t now)
{
	thread->pub.unwound++;
	sis__imbalance(sis_node_region(thread->pub.current), SIS_NOT_LEFT);
	sis__close_current(thread, now);
}

void sis__mismatch(struct sis_thread *thread, uint32_t id)
{
	if (sis__region_fact(id)->was_off)
		return; /* the region may have been off when it was entered */
	thread->pub.mismatched++;
	sis__imbalance(id, SIS_LEFT_CLOSED);
}

/* -- what is open ---------------------------------------------------------------------------- */

static struct sis_activation open_at(const struct sis_thread *thread, const struct sis_node *node)
{
	struct sis_activation at = sis__innermost(thread);
	while (at.node != thread->pub.root && at.node != node)
		at = sis__outer(thread, at);
	return at.node == thread->pub.root ? (struct sis_activation){ .node = NULL } : at;
}

SIS_EXPORT bool sis__is_open(const struct sis_thread *thread, const struct sis_node *node)
{
	return open_at(thread, node).node != NULL;
}

struct sis_activation sis__open_one(const struct sis_thread *thread, uint32_t id)
{
	struct sis_activation at = sis__innermost(thread);
	while (at.node != thread->pub.root && sis_node_region(at.node) != id)
		at = sis__outer(thread, at);
	return at.node == thread->pub.root ? (struct sis_activation){ .node = NULL } : at;
}

/* Whether probes of the source enter and leave the region, and no wrapper or team knows its
 * nodes. */
static bool is_own_work(uint32_t id)
{
	const struct sis_region_fact *fact = sis__region_fact(id);
	return id >= SIS_FIRST_UNIT_ID && fact->routine == SIS_MPI_ROUTINES &&
	       sis_region_sampled(fact->type);
}

/* If the innermost activation goes on, ends its present part, and returns what goes on. `first` of
 * the result is NULL if the activation is not in the list: then each part counts as an activation
 * for minimum and maximum. */
static bool end_part(struct sis_thread *thread, enum sis_going what, struct sis_overlap *part,
		     uint64_t now)
{
	struct sis_activation at = sis__innermost(thread);
	struct sis_overlap *listed = thread->overlaps ? sis__overlap_find(thread, at) : NULL;
	bool goes_on = listed ? what >= SIS_OVERLAPPING_GO_ON ||
					(what == SIS_ANNOTATIONS_GO_ON && listed->stays)
			      : what == SIS_ALL_GO_ON && is_own_work(sis_node_region(at.node));
	if (!goes_on)
		return false;
	sis__time_wait(thread, now); /* if the activation is not timed, it is from now on */
	uint64_t ticks = sis__shut(thread, now);
	if (listed) {
		*part = *listed;
		part->before += ticks;
		sis__overlap_drop(thread, listed);
	} else {
		*part = (struct sis_overlap){ .node = at.node };
		sis__add_extremes(at.node, ticks);
	}
	return true;
}

static void begin_part(struct sis_thread *thread, struct sis_overlap part, uint64_t now)
{
	uint32_t id = sis_node_region(part.node), set = sis__region_fact(id)->set;
	bool folds;
	struct sis_node *node = sis__node_to_enter(thread, id, NULL, &folds);
	if (!node) { /* no memory: the activation ends here, and is counted as dropped */
		if (part.first)
			sis__add_extremes(part.first, part.before);
		return;
	}
	if (set && !folds)
		sis__counters_begin(thread, node, set);
	if (SIS_UNLIKELY(thread->trace != NULL))
		sis__trace_enter(thread, id, now);
	sis__enter_node(thread, node, folds, now);
	part.node = node;
	part.folds = thread->folds;
	if (part.first)
		sis__overlap_add(thread, part);
}

static __attribute__((noinline)) void end_around(struct sis_thread *thread,
						 struct sis_activation one, enum sis_going what,
						 uint64_t now)
{
	struct sis_overlap going[SIS_OVERLAPS];
	uint32_t count = 0;
	while (!sis__is_same(sis__innermost(thread), one))
		if (count < SIS_OVERLAPS && end_part(thread, what, &going[count], now))
			count++;
		else
			sis__unwind(thread, now);
	sis__close_current(thread, now);
	while (count-- > 0)
		begin_part(thread, going[count], now);
}

void sis__end_one(struct sis_thread *thread, struct sis_activation one, enum sis_going what,
		  uint64_t now)
{
	if (SIS_LIKELY(sis__is_same(sis__innermost(thread), one)))
		sis__close_current(thread, now);
	else
		end_around(thread, one, what, now);
}

SIS_EXPORT void sis__end(struct sis_thread *thread, struct sis_node *node, uint64_t now)
{
	if (!node)
		return;
	struct sis_activation one = sis__innermost(thread);
	if (SIS_UNLIKELY(one.node != node))
		one = open_at(thread, node);
	if (one.node)
		sis__end_one(thread, one, SIS_NONE_GOES_ON, now);
	else
		sis__mismatch(thread, sis_node_region(node));
}

void sis__leave_path(struct sis_thread *thread, uint32_t id, uint64_t now)
{
	struct sis_activation one = sis__open_one(thread, id);
	if (one.node)
		sis__end_one(thread, one,
			     is_own_work(id) ? SIS_ANNOTATIONS_GO_ON : SIS_NONE_GOES_ON, now);
	else
		sis__mismatch(thread, id);
}

void sis__close_path(struct sis_thread *thread, uint64_t now)
{
	/* the thread ends inside these regions, so they are not counted as unbalanced */
	while (thread->pub.current != thread->pub.root)
		sis__close_current(thread, now);
}

bool sis__close_to(struct sis_thread *thread, struct sis_activation to, uint64_t now)
{
	struct sis_activation at = sis__innermost(thread);
	while (at.node != thread->pub.root && !sis__is_same(at, to))
		at = sis__outer(thread, at);
	if (!sis__is_same(at, to))
		return false;
	while (!sis__is_same(sis__innermost(thread), to))
		sis__close_current(thread, now);
	return true;
}

void sis__close_root(struct sis_thread *thread, uint64_t now)
{
	struct sis_node *root = thread->pub.root;
	sis__add_ticks(root, now > root->start ? now - root->start : 0);
	thread->pub.stamp = now;
}

SIS_EXPORT void sis__book(struct sis_thread *thread, struct sis_node *parent, uint32_t id,
			  uint64_t ticks)
{
	struct sis_node *node = sis__child(thread, parent, id, NULL);
	if (!node)
		return;
	node->calls++;
	sis__add_ticks(node, ticks);
	sis__add_inside_of(parent, ticks);
}

/* A part of a split wait may begin before an event that is already in the trace. trace.c corrects
 * such times. */
SIS_EXPORT struct sis_node *sis__book_span(struct sis_thread *thread, struct sis_node *parent,
					   uint32_t id, uint64_t from, uint64_t to)
{
	struct sis_node *node = sis__child(thread, parent, id, NULL);
	if (!node)
		return NULL;
	node->calls++;
	node->start = from;
	if (to > thread->pub.stamp)
		thread->pub.stamp = to;
	if (thread->trace && thread->pub.current == parent) {
		sis__trace_enter(thread, id, from);
		thread->pub.current = node; /* for a block that begins with the next event */
		sis__trace_leave(thread, to);
		thread->pub.current = parent;
	}
	sis__add_ticks(node, to > from ? to - from : 0);
	sis__add_inside_of(parent, to > from ? to - from : 0);
	return node;
}
