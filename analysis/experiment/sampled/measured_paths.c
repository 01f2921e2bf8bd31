// SPDX-License-Identifier: BSD-3-Clause
/* measured_paths.c - finds where measured nodes were entered (measured_paths.h). Called by one
 * thread.
 *
 * A sample has the measured node that was current, and a stack. Where the stack passes through the
 * code of a runtime, it has a border. The measured nodes around the sample and the borders belong
 * together, from the outermost inwards:
 *
 *      nodes      run           parallel                  MPI_Recv
 *      stack      main solve |  body exchange          |  MPI_Recv ...
 *                 functions     functions of `parallel`   the library's: not shown
 *                 of `run`
 *
 * The outer part of a stack may be missing: threads of a team begin in the runtime, tasks end
 * there, and deep stacks are cut. Then the innermost borders count. A node that the program made by
 * hand has no border. Its functions are those inside of the path that all of its samples have in
 * common.
 *
 * The path of a measured node is the longest one that all samples have in common that were taken in
 * the node or below it. Samples whose stack is not certain are not asked. If a process has no
 * samples in the node, those of other processes count, so that all have the same call graph.
 *
 * LIMIT: which frames are outside of a region that sisc made is not known, so nothing is found
 * below such a region. */
#include "experiment/sampled/measured_paths.h"

#include <stdlib.h>
#include <string.h>

#include "experiment/read/idf_read.h"
#include "tables.h"

/* -- kinds and groups -------------------------------------------------------------------------- */

static enum measured_kind kind_of_builtin(const char *name)
{
	enum sis_region_type type = sis_region_by_name(name, strlen(name));
	bool is_code = type && sis_region_table[type].leaf == O_NONE;
	return is_code && !sis_routine_by_name(name) ? MEASURED_CODE : MEASURED_CALL;
}

/* Fills `hand`: whether a region of a translation unit was named by the program. */
static int read_regions(const struct profile *p, struct map *hand, struct err *err)
{
	for (size_t i = 0; i < p->tu.n; i++) {
		const struct profile_tu *tu = &p->tu.at[i];
		struct idf_tu idf;
		if (idf_read(&idf, tu->json, tu->length, p->path, err))
			return ERR_FAILED;
		for (uint32_t k = 0; k < idf.region.n; k++)
			map_put(hand, (uint64_t)tu->first_id + k, 0, idf.region.at[k].by_hand,
				NULL);
		idf_release(&idf);
	}
	return 0;
}

static int find_kinds(struct measured_paths *m, struct err *err)
{
	struct map hand = { 0 };
	char name[64];
	int rc = read_regions(m->profile, &hand, err);
	for (uint32_t i = 0; rc == 0 && i < m->count; i++) {
		uint32_t id = m->profile->node.at[i].region, is_by_hand = map_get(&hand, id, 0);
		const struct profile_call *call = profile_call(m->profile, id);
		m->measured[i].group = NONE;
		m->measured[i].call = call && call->place != NONE ?
			(uint32_t)(call - m->profile->call.at) : NONE;
		m->measured[i].kind = is_by_hand == 1 ? MEASURED_BY_HAND :
			is_by_hand == 0 || !profile_builtin(m->profile, id, name, sizeof name) ?
			MEASURED_SOURCE :
			kind_of_builtin(name);
	}
	map_free(&hand);
	return rc;
}

/* Sets the groups of the nodes in `chain`.
 * LIMIT: regions that the program made by hand have no groups. */
static void find_groups(struct measured_paths *m)
{
	uint32_t around = NONE;
	char name[64];
	for (size_t k = 0; k < m->chain.n; k++) {
		struct measured *at = &m->measured[m->chain.at[k]];
		uint32_t id = m->profile->node.at[m->chain.at[k]].region;
		bool is_new;
		if (!profile_builtin(m->profile, id, name, sizeof name))
			return;
		uint32_t place = at->call == NONE ? NONE : m->profile->call.at[at->call].place;
		char *key = mem_print("%u %s %u", around, name, place);
		around = at->group = strmap_put(&m->groups->by_name, key, m->groups->path.n,
						&is_new);
		if (is_new)
			vec_push(&m->groups->path);
		free(key);
	}
}

/* -- samples ----------------------------------------------------------------------------------- */

/* Fills `chain`. Returns false if a region that sisc made is around the node. */
static bool find_chain(struct measured_paths *m, uint32_t node)
{
	const struct profile *p = m->profile;
	m->chain.n = 0;
	for (uint32_t n = node; p->node.at[n].parent != NONE; n = p->node.at[n].parent) {
		if (m->measured[n].kind == MEASURED_SOURCE)
			return false;
		*vec_push(&m->chain) = n;
	}
	for (size_t i = 0; i < m->chain.n / 2; i++) {
		uint32_t *a = &m->chain.at[i], *b = &m->chain.at[m->chain.n - 1 - i], other = *a;
		*a = *b;
		*b = other;
	}
	return true;
}

/* Fills `border`, and sets `outside`. */
static void find_borders(struct measured_paths *m, const struct stacks_stack *stack)
{
	const struct call_path *path = &m->path;
	size_t with = 0, missing = 0; /* nodes that have borders; those without one in the stack */
	for (size_t k = 0; k < m->chain.n; k++)
		with += m->measured[m->chain.at[k]].kind != MEASURED_BY_HAND;
	bool is_cut = stack->origin != NONE || stack->flags & SIS_STACK_TRUNCATED;
	if (is_cut && path->border.n < with)
		missing = with - path->border.n;
	m->outside = m->border.n = 0;
	for (size_t k = 0, at = 0; k < m->chain.n; k++) {
		enum measured_kind kind = m->measured[m->chain.at[k]].kind;
		uint32_t border = NONE, last = path->border.n ?
			path->border.at[path->border.n - 1] : 0;
		if (kind != MEASURED_BY_HAND) {
			m->outside = at < missing ? k + 1 : m->outside;
			border = at < missing ? 0 : at - missing < path->border.n ?
				path->border.at[at - missing] :
				kind == MEASURED_CALL ? last : NONE;
			at++;
		}
		*vec_push(&m->border) = border;
	}
}

bool measured_paths_read(struct measured_paths *m, const struct stacks_stack *stack, uint32_t node)
{
	if (node == NONE || !m->profile->node.at[node].reachable || stack->frames == 0 ||
	    !find_chain(m, node))
		return false;
	stack_functions_path(m->functions, m->number, stack, &m->path);
	find_borders(m, stack);
	return true;
}

size_t measured_paths_inside(const struct measured_paths *m)
{
	size_t begin = 0;
	for (size_t k = 0; k < m->chain.n; k++)
		begin = m->border.at[k] == NONE ? begin : m->border.at[k];
	return !m->chain.n || m->border.at[m->chain.n - 1] != NONE ? begin :
		begin + m->measured[m->chain.at[m->chain.n - 1]].path.function.n;
}

/* -- paths ------------------------------------------------------------------------------------- */

/* Shortens a path to the part that it has in common with another one. */
static void shorten(struct entry_path *path, const uint32_t *other, size_t n)
{
	size_t same = 0;
	for (size_t i = 0; !path->known && i < n; i++)
		*vec_push(&path->function) = other[i];
	path->known = true;
	while (same < path->function.n && same < n && path->function.at[same] == other[same])
		same++;
	path->function.n = same;
}

/* A node without a border was entered somewhere before the next border. */
static void add_sample(struct measured_paths *m, bool of_initial_thread)
{
	size_t begin = 0;
	for (size_t k = m->outside; k < m->chain.n; k++) {
		struct measured *at = &m->measured[m->chain.at[k]];
		size_t next = k;
		while (next < m->chain.n && m->border.at[next] == NONE)
			next++;
		size_t end = next < m->chain.n ? m->border.at[next] : m->path.function.n;
		shorten(&at->path, m->path.function.at + begin, end - begin);
		at->is_loose |= next != k;
		begin = next == k ? end : begin;
	}
	bool is_outermost = m->path.function.n && (!m->path.border.n || m->path.border.at[0]);
	if (!of_initial_thread || m->outside || !is_outermost)
		return;
	uint32_t first = m->path.function.at[0];
	m->groups->first = m->groups->has_first && m->groups->first != first ? NONE : first;
	m->groups->has_first = true;
}

int measured_paths_find(struct measured_paths *m, struct err *err)
{
	const int doubtful = SIS_STACK_TRUNCATED | SIS_STACK_INSIDE | SIS_STACK_GUESSED;
	m->count = m->profile->node.n;
	m->measured = mem_alloc(m->count, sizeof *m->measured);
	if (find_kinds(m, err))
		return ERR_FAILED;
	for (size_t i = 0; i < m->stacks->stack.n; i++) {
		const struct stacks_stack *stack = &m->stacks->stack.at[i];
		uint32_t node = profile_node_at(m->profile, stack->node);
		if (stack->kind != SIS_STACK_ALLOCATION && !(stack->flags & doubtful) &&
		    measured_paths_read(m, stack, node))
			add_sample(m, stack->slot == 0);
	}
	for (uint32_t i = 0; i < m->count; i++) {
		struct measured *at = &m->measured[i];
		if (m->profile->node.at[i].reachable && find_chain(m, i))
			find_groups(m);
		if (at->group != NONE && at->path.known)
			shorten(&m->groups->path.at[at->group], at->path.function.at,
				at->path.function.n);
	}
	return 0;
}

struct entry_path measured_paths_of(const struct measured_paths *m, uint32_t node)
{
	const struct measured *at = &m->measured[node];
	uint32_t parent = m->profile->node.at[node].parent;
	if (at->path.known)
		return at->path;
	if (at->group != NONE && m->groups->path.at[at->group].known)
		return m->groups->path.at[at->group];
	bool is_top = parent != NONE && m->profile->node.at[parent].parent == NONE &&
		m->profile->node.at[node].slot == 0 && at->kind != MEASURED_SOURCE;
	struct entry_path path = { .known = true };
	if (is_top && m->groups->has_first && m->groups->first != NONE) {
		path.function.at = &m->groups->first;
		path.function.n = 1;
	}
	return path;
}

/* The length of the path up to the innermost place of these functions in it; 0: it does not have
 * them. What is inside of this place is an interface between the call and the routine, such as that
 * of MPI for Fortran. */
static size_t length_to(const struct entry_path *path, const uint32_t *function, size_t n)
{
	for (size_t length = path->function.n; length >= n; length--)
		if (memcmp(path->function.at + length - n, function, n * sizeof *function) == 0)
			return length;
	return 0;
}

void measured_paths_end_at_calls(struct measured_paths *m)
{
	for (uint32_t i = 0; i < m->count; i++) {
		struct measured *at = &m->measured[i];
		if (at->call == NONE || !m->profile->node.at[i].reachable)
			continue;
		at->is_unseen = !at->path.known &&
			(at->group == NONE || !m->groups->path.at[at->group].known);
		struct entry_path from = measured_paths_of(m, i), path = { .known = true };
		struct function_range range = stack_functions_of_call(m->functions, m->number,
								      at->call);
		const uint32_t *function = m->functions->list.at + range.first;
		size_t length = length_to(&from, function, range.count);
		for (size_t k = 0; k < (length ?: from.function.n); k++)
			*vec_push(&path.function) = from.function.at[k];
		for (size_t k = 0; length == 0 && k < range.count; k++)
			*vec_push(&path.function) = function[k];
		vec_free(&at->path.function);
		at->path = path;
	}
}

void measured_paths_release(struct measured_paths *m)
{
	for (size_t i = 0; i < m->count; i++)
		vec_free(&m->measured[i].path.function);
	mem_free((void **)&m->measured);
	vec_free(&m->chain);
	vec_free(&m->border);
	vec_free(&m->path.function);
	vec_free(&m->path.border);
}

void group_paths_release(struct group_paths *groups)
{
	for (size_t i = 0; i < groups->path.n; i++)
		vec_free(&groups->path.at[i].function);
	vec_free(&groups->path);
	strmap_free(&groups->by_name);
}
