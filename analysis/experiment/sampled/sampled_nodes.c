// SPDX-License-Identifier: BSD-3-Clause
/* sampled_nodes.c - makes nodes of the call paths of samples, and moves measured nodes below them
 * (sampled.h). Called by one thread.
 *
 * A function that is on the path already gets no second node: recursion is folded.
 *
 * LIMIT: if a stack was deeper than SIS_STACK_FRAMES, its outer functions are not known. Its path
 * begins with the outermost one that is known.
 * LIMIT: a measured node that several paths lead to is below what they have in common, because how
 * long it took on each is not known. If it is a call whose place is known, it is below the function
 * that has the place (struct profile_call). */
#include "experiment/sampled/sampled_nodes.h"

#include <math.h>
#include <stdlib.h>

#include "experiment/sampled/sampled_culprits.h"
#include "experiment/sampled/sampled_phases.h"

/* A node of a function: the samples in and below it and, with own_, those in it. */
struct added { uint64_t count, own_count; double ticks, squares, own_squares; };

struct sampled_nodes {
	struct measured_paths *paths;
	struct profile *profile;
	uint32_t first;          /* first node that was added */
	VEC(struct added) added;
	struct map child;        /* (node, function) -> node */
	double ticks_per_ns;
	uint64_t *slot_count;    /* samples of each slot */
	struct stack_nodes *of_stack; /* by stack */
	uint64_t count;          /* of samples in nodes */
};

/* -- nodes of functions ------------------------------------------------------------------------ */

/* The node of a function that is called in `node`, which is `top` or below it. */
static uint32_t node_of(struct sampled_nodes *s, uint32_t top, uint32_t node, uint32_t function)
{
	struct profile *p = s->profile;
	uint32_t region = SAMPLED_ID + function, slot = p->node.at[top].slot;
	bool is_new;
	for (uint32_t n = node; n != top; n = p->node.at[n].parent)
		if (p->node.at[n].region == region)
			return n;
	uint32_t child = map_put(&s->child, node, function, p->node.n, &is_new);
	if (!is_new)
		return child;
	vec_push(&s->added);
	*vec_push(&p->node) = (struct profile_node){
		.region = region, .slot = slot, .parent = node, .origin = NONE, .values = NONE,
		.reachable = true, .min = UINT64_MAX,
	};
	return child;
}

static void count_sample(struct sampled_nodes *s, const struct stacks_stack *stack, uint32_t top,
			 uint32_t node)
{
	double ticks = (double)stack->weight * s->ticks_per_ns;
	double squares = ticks * ticks / (double)stack->count;
	if (node != top) {
		struct added *own = &s->added.at[node - s->first];
		own->own_count += stack->count;
		own->own_squares += squares;
	}
	for (; node != top; node = s->profile->node.at[node].parent) {
		struct added *a = &s->added.at[node - s->first];
		a->count += stack->count;
		a->ticks += ticks;
		a->squares += squares;
	}
}

/* Adds the functions of all samples. Returns the number of samples in nodes. */
static uint64_t add_functions(struct sampled_nodes *s)
{
	struct measured_paths *m = s->paths;
	uint64_t count = 0;
	for (size_t i = 0; i < m->stacks->stack.n; i++) {
		const struct stacks_stack *stack = &m->stacks->stack.at[i];
		bool is_sample = stack->kind == SIS_STACK_RUNNING ||
			stack->kind == SIS_STACK_BLOCKED;
		uint32_t top = profile_node_at(s->profile, stack->node), node = top;
		if (!is_sample || !stack->count || !measured_paths_read(m, stack, top))
			continue;
		s->slot_count[s->profile->node.at[top].slot] += stack->count;
		count += stack->count;
		if (m->chain.n && m->measured[top].kind == MEASURED_CALL)
			continue;
		for (size_t k = measured_paths_inside(m); k < m->path.function.n; k++)
			node = node_of(s, top, node, m->path.function.at[k]);
		count_sample(s, stack, top, node);
		s->of_stack[i] = (struct stack_nodes){ top, node };
	}
	return count;
}

/* -- moving measured nodes --------------------------------------------------------------------- */

/* The group of a measured node with functions below; NONE: it has no group. */
static uint32_t group_of(const struct sampled_nodes *s, uint32_t top)
{
	const struct profile_node *node = &s->profile->node.at[top];
	if (node->parent != NONE)
		return s->paths->measured[top].group;
	return (uint32_t)(node->slot == 0 ? GROUP_OF_INITIAL : GROUP_OF_THREADS);
}

static void note_places(struct sampled_nodes *s)
{
	const struct profile *p = s->profile;
	VEC(uint32_t) path = { 0 };
	for (uint32_t n = s->first; n < p->node.n; n++) {
		uint32_t top = n;
		path.n = 0;
		for (; top >= s->first; top = p->node.at[top].parent)
			*vec_push(&path) = p->node.at[top].region - SAMPLED_ID;
		for (size_t i = 0; i < path.n / 2; i++) {
			uint32_t outer = path.at[path.n - 1 - i];
			path.at[path.n - 1 - i] = path.at[i];
			path.at[i] = outer;
		}
		if (group_of(s, top) != NONE)
			function_places_add(s->paths->places, group_of(s, top), path.at, path.n);
	}
	vec_free(&path);
}

/* The node of the innermost function of the path of measured node `n`. If samples do not show this
 * path, its innermost function that is on one path only is there. */
static uint32_t node_of_path(struct sampled_nodes *s, uint32_t n, uint32_t top)
{
	const struct measured *at = &s->paths->measured[n], *around = &s->paths->measured[top];
	const struct entry_path path = measured_paths_of(s->paths, n);
	const struct function_place *place = NULL;
	size_t first = around->is_loose ? around->path.function.n : 0;
	uint32_t node = top;
	for (size_t k = path.function.n; at->is_unseen && !place && k-- > first;)
		if ((place = function_places_only(s->paths->places, group_of(s, top),
						  path.function.at[k])))
			first = k + 1;
	for (size_t k = 0; place && k < place->function.n; k++)
		node = node_of(s, top, node, place->function.at[k]);
	for (size_t k = first; k < path.function.n; k++)
		node = node_of(s, top, node, path.function.at[k]);
	return node;
}

/* Moves a measured node below its path, and adds its time to that of the functions there. The node
 * that a thread of a team begins with stays, because its origin says where it belongs. */
static void move_node(struct sampled_nodes *s, uint32_t n)
{
	struct profile *p = s->profile;
	uint32_t top = p->node.at[n].parent;
	if (top == NONE || p->node.at[n].origin != NONE || !p->node.at[n].reachable)
		return;
	uint32_t node = node_of_path(s, n, top);
	p->node.at[n].parent = node;
	for (; node != top; node = p->node.at[node].parent) {
		p->node.at[node].total += p->node.at[n].total;
		p->node.at[node].open |= p->node.at[n].open;
		p->node.at[node].untimed = true;
	}
}

static void move_nodes(struct sampled_nodes *s, bool unseen)
{
	for (uint32_t i = 0; i < s->first; i++)
		if (s->paths->measured[i].is_unseen == unseen)
			move_node(s, i);
}

/* A sample hits a function or not, so the number of its samples has a binomial distribution. More
 * ticks than MOST are damage. */
static void add_estimates(struct sampled_nodes *s)
{
	const double MOST = (double)((uint64_t)1 << 53);
	for (uint32_t i = 0; i < s->added.n; i++) {
		const struct added *a = &s->added.at[i];
		const struct profile_node *node = &s->profile->node.at[s->first + i];
		double all = (double)s->slot_count[node->slot];
		*vec_push(&s->profile->estimate) = (struct profile_estimate){
			.node = s->first + i,
			.of_stacks = true,
			.samples = a->count,
			.sampled = (uint64_t)fmin(a->ticks, MOST),
			.sampled_squared = a->squares,
			.variance = a->squares * (1 - (double)a->count / (all > 0 ? all : 1)),
			.own_variance = a->own_squares *
				(1 - (double)a->own_count / (all > 0 ? all : 1)),
		};
	}
}

static double ticks_per_ns(const struct sis_profile_header *h)
{
	if (h->end.ticks > h->start.ticks && h->end.monotonic_ns > h->start.monotonic_ns)
		return (double)(h->end.ticks - h->start.ticks) /
			(double)(h->end.monotonic_ns - h->start.monotonic_ns);
	return (double)h->ticks_per_second / 1e9;
}

struct sampled_nodes *sampled_nodes_begin(struct measured_paths *paths)
{
	struct profile *p = paths->profile;
	uint32_t slots = p->thread.n ? p->thread.at[p->thread.n - 1].slot + 1 : 1;
	struct sampled_nodes *s = mem_alloc(1, sizeof *s);
	*s = (struct sampled_nodes){
		.paths = paths, .profile = p, .first = (uint32_t)p->node.n,
		.ticks_per_ns = ticks_per_ns(&p->head),
		.slot_count = mem_alloc(slots, sizeof *s->slot_count),
		.of_stack = mem_alloc(paths->stacks->stack.n + 1, sizeof *s->of_stack),
	};
	s->count = add_functions(s);
	measured_paths_end_at_calls(paths);
	move_nodes(s, false);
	note_places(s);
	return s;
}

uint64_t sampled_nodes_end(struct sampled_nodes *s)
{
	uint64_t count = s->count;
	move_nodes(s, true);
	add_estimates(s);
	sampled_phases_add(s->profile, s->first, s->paths->stacks, s->of_stack, s->ticks_per_ns);
	sampled_culprits_add(s->profile, s->paths->stacks, s->of_stack);
	free(s->of_stack);
	free(s->slot_count);
	vec_free(&s->added);
	map_free(&s->child);
	free(s);
	return count;
}
