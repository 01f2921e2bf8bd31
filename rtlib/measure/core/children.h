/* SPDX-License-Identifier: BSD-3-Clause */
/* children.h - finds the child of a node. Called by the thread that fills the slot.
 *
 * The search looks at the child entered last, then at its next sibling, then at the whole ring. If
 * the node has more than SIS_INDEXED children, it uses the thread's index of such children instead
 * of the ring.
 */
#ifndef SIS_CHILDREN_H
#define SIS_CHILDREN_H

#include "base/state.h"

enum { SIS_INDEXED = 16 };

/* A hash table with open addressing from (parent, region, origin) to the node. */
struct sis_index {
	uint64_t slots, used;
	bool incomplete; /* the table could not grow: nodes may be missing that are in the ring */
	struct sis_node *slot[];
};

static inline struct sis_node *sis__origin_of(const struct sis_node *node)
{
	return node->values ? node->values->origin : NULL;
}

static inline bool sis__is_node_of(const struct sis_node *node, uint32_t id,
				   const struct sis_node *origin)
{
	return sis_node_region(node) == id && sis__origin_of(node) == origin;
}

static inline uint64_t sis__child_hash(const struct sis_node *parent, uint32_t id,
				       const struct sis_node *origin)
{
	uint64_t h = ((uintptr_t)parent >> 5) * SIS_HASH_MULTIPLIER + id;
	h = (h ^ (uintptr_t)origin) * SIS_HASH_SECOND;
	return h ^ h >> 29;
}

/* Returns the element that points to the child, or the free element where the child would be. */
static inline struct sis_node **sis__index_place(struct sis_index *index,
						 const struct sis_node *parent, uint32_t id,
						 const struct sis_node *origin)
{
	for (uint64_t i = sis__child_hash(parent, id, origin);; i++) {
		struct sis_node **place = &index->slot[i & (index->slots - 1)];
		if (!*place || ((*place)->parent == parent && sis__is_node_of(*place, id, origin)))
			return place;
	}
}

static inline struct sis_node *sis__find_in_ring(const struct sis_node *parent, uint32_t id,
						 const struct sis_node *origin)
{
	struct sis_node *last = parent->last_child, *node = last;
	do
		if (sis__is_node_of(node, id, origin))
			return node;
	while ((node = node->next) != last);
	return NULL;
}

static inline struct sis_node *sis__find_child(const struct sis_thread *thread,
					       const struct sis_node *parent, uint32_t id,
					       const struct sis_node *origin)
{
	if (parent->children <= SIS_INDEXED || !thread->index)
		return sis__find_in_ring(parent, id, origin);
	struct sis_node *node = *sis__index_place(thread->index, parent, id, origin);
	return node || !thread->index->incomplete ? node : sis__find_in_ring(parent, id, origin);
}

/* Returns the child of region `id`, and makes it the child entered last. NULL: there is no such
 * child. */
static inline struct sis_node *sis__known_child(const struct sis_thread *thread,
						struct sis_node *parent, uint32_t id,
						const struct sis_node *origin)
{
	struct sis_node *node = parent->last_child;
	if (SIS_LIKELY(sis__is_node_of(node, id, origin)))
		return node;
	node = node->next;
	if (!sis__is_node_of(node, id, origin))
		node = sis__find_child(thread, parent, id, origin);
	if (node)
		parent->last_child = node;
	return node;
}

#endif
