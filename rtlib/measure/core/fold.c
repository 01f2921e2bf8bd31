/* SPDX-License-Identifier: BSD-3-Clause */
/* fold.c - adds activations of recursive regions deeper than SIS_RECURSION to an open node. Called
 * by the thread that fills the slot, on its slow paths, or by another thread that knows that the
 * slot is idle.
 *
 *      root -> f -> ... -> f#32 -> g -> h      f is entered in h: f#32 becomes the current node
 *                           ^           |      again, g and h are suspended;
 *                           +-----------+      f is left: they go on, h is the current node
 *
 * The path from the root to the current node is always a path of the tree, and only the nodes of
 * this path gain time. When a node is suspended, its time so far is added to its total. So the file
 * is right whenever the process stops. Activations inside f may enter a suspended node again. A
 * stack of 64-bit words has the data with which suspended nodes are resumed:
 *
 *      | ticks of h | ticks of g | struct sis_fold | ticks ... | struct sis_fold |
 *                                                                 thread->folds ^
 *
 * The stack is private memory: a reader of the file does not need it, and a forked child has its
 * own copy.
 *
 * A node gets the bit SIS_NODE_FOLDS when an activation is first folded into it. A probe's id never
 * has this bit. So the fast path never finds such a node, and need not handle folded activations.
 * quick_probe.c and probe.c handle them. If a region is entered in its own node and is not timed, a
 * gate begins and ends the activation without a call (sis/gate_pair_of_width.h).
 *
 * LIMIT: if g is entered only below f#32, the inclusive time of g lacks the time of calls of f in
 * g, because this time is in f#32.
 */
#include "base/config.h"
#include "base/lock.h"
#include "measure/counters/counter.h"
#include "measure/core/fold.h"

#include <sys/mman.h>

enum { FIRST_WORDS = 2 << 10, KEPT_WORDS = 64 << 10, MANY = 16 << 10 };

/* -- the node into which an activation folds ------------------------------------------------ */

static struct sis_node *nearest(const struct sis_thread *thread, struct sis_node *node, uint32_t id)
{
	while (node != thread->pub.root && sis_node_region(node) != id)
		node = node->parent;
	return node == thread->pub.root ? NULL : node;
}

/* If the nearest open node of the region does not fold yet, this counts the region's open nodes
 * from the nearest node to the root. If there are as many as a path may have, the nearest node
 * folds from now on. Otherwise the result is NULL, and the caller makes a child.
 *
 * Regions that call each other in many orders make a path for each order. So in a thread with more
 * than MANY nodes, new paths have at most half as many nodes of a region as SIS_RECURSION allows.
 * Each time the number of the thread's nodes doubles, this limit is halved again, down to one. */
struct sis_node *sis__fold_target(struct sis_thread *thread, uint32_t id)
{
	struct sis_node *target = NULL;
	if (sis__config.recursion)
		target = nearest(thread, thread->pub.current, id);
	if (!target || target->region != id)
		return target;
	unsigned open = 1, most = sis__config.recursion;
	for (uint64_t nodes = thread->node_count; nodes > MANY && most > 1; nodes /= 2)
		most /= 2;
	for (struct sis_node *node = target; open < most; open++) {
		node = nearest(thread, node->parent, id);
		if (!node)
			return NULL;
	}
	__atomic_store_n(&target->region, id | SIS_NODE_FOLDS, __ATOMIC_RELAXED);
	return target;
}

/* -- the stack's memory ---------------------------------------------------------------------- */

/* A stack that became too small stays mapped, because a signal handler may make the larger stack
 * while the code that it interrupted reads the old one. All stacks together are less than twice as
 * large as the last stack. */
struct room {
	struct room *smaller;
	uint64_t bytes; /* this head included */
	uint64_t word[];
};

static struct room *room_of(const struct sis_thread *thread)
{
	char *words = (char *)thread->fold;
	return words ? (struct room *)(words - offsetof(struct room, word)) : NULL;
}

static bool grow(struct sis_thread *thread, uint64_t words)
{
	uint64_t room = thread->fold_room ? thread->fold_room : FIRST_WORDS;
	sigset_t before;
	while (room < words)
		room *= 2;
	sis__guard_alone(&before);
	struct room *old = room_of(thread);
	uint64_t bytes = sizeof *old + room * sizeof old->word[0];
	struct room *new = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				-1, 0);
	if (new != MAP_FAILED) {
		new->smaller = old;
		new->bytes = bytes;
		if (old)
			__builtin_memcpy(new->word, old->word, thread->folds * sizeof old->word[0]);
		thread->fold = new->word;
		thread->fold_room = room;
	}
	sis__unguard_alone(&before);
	return new != MAP_FAILED;
}

bool sis__fold_reserve(struct sis_thread *thread, const struct sis_node *target)
{
	uint64_t words = thread->folds + SIS_FOLD_WORDS;
	for (const struct sis_node *node = thread->pub.current; node != target; node = node->parent)
		words++;
	return SIS_LIKELY(words <= thread->fold_room) || grow(thread, words);
}

void sis__fold_release(struct sis_thread *thread)
{
	if (SIS_LIKELY(thread->fold_room <= KEPT_WORDS))
		return;
	struct room *room = room_of(thread);
	thread->fold = NULL;
	thread->fold_room = 0;
	for (struct room *smaller; room; room = smaller) {
		smaller = room->smaller;
		munmap(room, room->bytes);
	}
}

/* -- begin and end --------------------------------------------------------------------------- */

/* suspend() keeps a word for each node: the ticks so far, and the bits of `start` that say how the
 * activation is timed. The time so far is added to the node's total only if the activation counts
 * once. */
enum { FLAGS = 62 }; /* the lowest of these bits */

static bool counts_once(uint64_t start) { return start >> FLAGS == 0; }

static uint64_t suspend(struct sis_node *node, uint64_t now)
{
	uint64_t ticks = sis__open_ticks(node, now);
	if (SIS_UNLIKELY(node->values != NULL))
		sis__counters_end(node);
	if (SIS_UNLIKELY(!counts_once(node->start)))
		return ticks | (node->start >> FLAGS << FLAGS);
	node->total += ticks;
	return ticks;
}

static void resume(struct sis_thread *thread, struct sis_node *node, uint64_t kept, uint64_t now)
{
	if (SIS_UNLIKELY(node->values != NULL))
		sis__counters_begin(thread, node, node->values->set);
	if (SIS_UNLIKELY(!counts_once(kept))) {
		node->start = kept == SIS_START_SAMPLED
			? kept
			: (now - sis_node_start(kept)) | (kept >> FLAGS << FLAGS);
		return;
	}
	node->total -= kept;
	node->start = now - kept;
}

/* Without a guard a signal handler could enter regions on a path that is half changed. sis__unguard
 * is not enough, because this code may run in a signal handler that interrupted sis__guard halfway.
 * So unguard restores exactly the state that guard found. */
static struct guarded { struct sis__thread *self; struct sis_thread *traced; } guard(void)
{
	struct guarded before = { sis__self, sis__local.traced };
	sis__guard();
	return before;
}

static void unguard(struct guarded before)
{
	sis__local.inside--;
	sis__local.traced = before.traced;
	sis__set_self((struct sis_thread *)before.self);
}

void sis__fold_begin(struct sis_thread *thread, struct sis_node *target, uint64_t now)
{
	struct guarded before = guard();
	struct sis_node *from = thread->pub.current;
	uint64_t *first = thread->fold + thread->folds, *word = first;
	thread->pub.current = target;
	thread->pub.stamp = now;
	for (struct sis_node *node = from; node != target; node = node->parent)
		*word++ = suspend(node, now);
	*(struct sis_fold *)word = (struct sis_fold){ target, from, now, (uint64_t)(word - first) };
	thread->folds += (uint64_t)(word - first) + SIS_FOLD_WORDS;
	unguard(before);
}

/* `now` may be before the start of the activation: the caller may end a wait at a time before the
 * begin of an activation that was folded inside the wait. Returns SIS_NO_TICKS if the activation
 * was not timed. */
uint64_t sis__fold_end(struct sis_thread *thread, uint64_t now)
{
	struct guarded before = guard();
	const struct sis_fold *fold = (struct sis_fold *)(thread->fold + thread->folds) - 1;
	const uint64_t *word = (const uint64_t *)fold - fold->suspended;
	bool timed = fold->start != SIS_START_SAMPLED;
	uint64_t start = timed ? fold->start : now;
	now = now > start ? now : start;
	thread->pub.stamp = now;
	for (struct sis_node *node = fold->from; node != fold->node; node = node->parent)
		resume(thread, node, *word++, now);
	thread->folds -= fold->suspended + SIS_FOLD_WORDS;
	thread->pub.current = fold->from;
	unguard(before);
	return timed ? now - start : SIS_NO_TICKS;
}

void sis__fold_restart(struct sis_thread *thread, struct sis_activation at, uint64_t now)
{
	struct sis_fold *fold = sis__fold_of(thread, at);
	if (!fold)
		return;
	fold->start = now;
	for (uint64_t *word = (uint64_t *)fold - fold->suspended; word < (uint64_t *)fold; word++)
		*word = *word == SIS_START_SAMPLED ? *word : *word >> FLAGS << FLAGS;
}
