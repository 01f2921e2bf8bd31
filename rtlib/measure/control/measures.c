/* SPDX-License-Identifier: BSD-3-Clause */
/* measures.c - reads the trees of all threads while these run. Called under the lock of control.c;
 * owns nothing.
 *
 * Nodes are never freed, and each of their numbers is read by one load. Different numbers may be
 * read some nanoseconds apart. What this period misses is counted in the next period. */
#include "base/slot_table.h"
#include "output/profile/store.h"
#include "measure/control/measures.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

enum { DEEPEST = 4096 };

static uint64_t load(const uint64_t *number)
{
	return __atomic_load_n(number, __ATOMIC_RELAXED);
}

static struct sis_node *parent_of(const struct sis_node *node)
{
	return __atomic_load_n(&node->parent, __ATOMIC_RELAXED);
}

/* -- sums -------------------------------------------------------------------------------------- */

/* Whether the node is on the path of open activations of one of the threads. */
static bool is_open(const struct sis_node *node)
{
	const struct sis_thread *thread;
	for (uint32_t i = 0; (thread = sis__slot(i)); i++) {
		const struct sis_node *at = __atomic_load_n(&thread->pub.current, __ATOMIC_RELAXED);
		for (int depth = 0; at && depth < DEEPEST; at = parent_of(at), depth++)
			if (at == node)
				return true;
	}
	return false;
}

static bool is_outermost(const struct sis_pattern_ids *ids, uint32_t pattern,
			 const struct sis_node *node)
{
	int depth = 0;
	for (const struct sis_node *at = parent_of(node); at && depth < DEEPEST;
	     at = parent_of(at), depth++)
		if (sis__pattern_matches(ids, pattern, sis_node_region(at)))
			return false;
	return true;
}

typedef void visitor(void *context, const struct sis_node *node);

static void visit_nodes(visitor *visit, void *context)
{
	struct sis_chunk *chunk = NULL;
	while ((chunk = sis__chunk_next(sis__store.base, chunk))) {
		if (chunk->kind != SIS_CHUNK_NODES)
			continue;
		const struct sis_node *node = sis__payload(chunk);
		size_t count = __atomic_load_n(&chunk->used, __ATOMIC_ACQUIRE) / sizeof *node;
		for (size_t i = 0; i < count; i++)
			visit(context, &node[i]);
	}
}

struct summing {
	const struct sis_pattern_ids *ids;
	uint64_t now;
	struct sis_region_sums *sums;
};

static void sum_node(void *context, const struct sis_node *node)
{
	const struct summing *s = context;
	for (uint32_t p = 0; p < s->ids->patterns; p++)
		if (sis__pattern_matches(s->ids, p, sis_node_region(node)) &&
		    is_outermost(s->ids, p, node))
			sis__sum_add(&s->sums[p], node, is_open(node), s->now);
}

/* -- numbers of the program -------------------------------------------------------------------- */

/* Whether the name of the user value matches the pattern. Names are lines of text that end with a
 * NUL. */
static bool value_is(uint32_t id, const char *pattern)
{
	struct sis_chunk *chunk = NULL;
	char line[32];
	size_t begin = (size_t)snprintf(line, sizeof line, "value\t%u\t", id);
	while ((chunk = sis__chunk_next(sis__store.base, chunk))) {
		const char *found = chunk->kind != SIS_CHUNK_TEXT ? NULL :
			memmem(sis__payload(chunk), chunk->used, line, begin);
		if (found)
			return fnmatch(pattern, found + begin, 0) == 0;
	}
	return false;
}

void sis__measures_read(const struct sis_pattern_ids *ids, uint64_t now,
			struct sis_region_sums *sums, struct sis_value_sums *value)
{
	struct summing s = { ids, now, sums };
	struct sis_chunk *chunk = NULL;
	visit_nodes(sum_node, &s);
	while (value && (chunk = sis__chunk_next(sis__store.base, chunk))) {
		if (chunk->kind != SIS_CHUNK_USER_VALUES)
			continue;
		const struct sis_user_value *v = sis__payload(chunk);
		size_t count = chunk->used / sizeof *v;
		for (size_t i = 0; i < count; i++)
			for (uint32_t p = 0; p < ids->patterns; p++)
				if (load(&v[i].count) && value_is(v[i].id, ids->pattern[p])) {
					value[p].count += load(&v[i].count);
					value[p].sum += v[i].sum;
				}
	}
}

/* -- below a region ---------------------------------------------------------------------------- */

struct seeking {
	const struct sis_pattern_ids *ids;
	uint32_t pattern;
	void (*see)(void *context, uint32_t id);
	void *context;
};

static void seek_node(void *context, const struct sis_node *node)
{
	const struct seeking *s = context;
	uint32_t id = sis_node_region(node);
	if (sis__region_may_be_off(id) && !sis__pattern_matches(s->ids, s->pattern, id) &&
	    !is_outermost(s->ids, s->pattern, node))
		s->see(s->context, id);
}

void sis__regions_below(const struct sis_pattern_ids *ids, uint32_t pattern,
			void (*see)(void *context, uint32_t id), void *context)
{
	struct seeking s = { ids, pattern, see, context };
	visit_nodes(seek_node, &s);
}

uint32_t sis__threads_now(void)
{
	uint32_t threads = 0;
	for (uint32_t i = 0; sis__slot(i); i++)
		threads += sis__slot_is_taken(i);
	return threads;
}
