/* SPDX-License-Identifier: BSD-3-Clause */
/* tail_calls.c - finds the tail calls of a function (tail_calls.h). One thread calls it. A call is
 * a tail call if all values between the call and the return only pass its result on. */
#include "blame/attribute/tail_calls.h"

#include <string.h>

#include "base/sort.h"

#define BLOCKS_MOST 16 /* most blocks between a call and the return */

/* The values found so far that stand for the call's result. */
struct result { uint32_t value[BLOCKS_MOST]; size_t n; };

static bool has_result(const struct flow_program *p, const struct flow_value *v,
		       const struct result *r)
{
	for (uint32_t i = 0; i < v->operand.n; i++)
		for (size_t k = 0; k < r->n; k++)
			if (r->value[k] == p->number.at[v->operand.first + i])
				return true;
	return false;
}

/* Whether the value is a call that clang adds at the end of a construct: the end of `single`,
 * `masked` or `for`, or a barrier. Such calls are in the graphs because clang makes the graphs. The
 * compiler of the program may leave them out, because the end of the team is a barrier, too. */
static bool ends_construct(const struct flow_program *p, uint32_t value)
{
	static const char *const end[] = { "__kmpc_end_single", "__kmpc_end_master",
					   "__kmpc_end_masked", "__kmpc_for_static_fini",
					   "__kmpc_barrier" };
	const struct flow_object *called = flow_called_object(p, value);
	for (size_t i = 0; called && i < sizeof end / sizeof *end; i++)
		if (strcmp(called->linkage, end[i]) == 0)
			return true;
	return false;
}

/* Whether a value after the call only passes the result on. Addresses, constants and loads do not
 * count as other work, because the calls that end a construct need them. */
static bool passes_on(const struct flow_program *p, uint32_t value, struct result *r)
{
	const struct flow_value *v = &p->value.at[value];
	switch (v->op) {
	case SIS_BLAME_ADDRESS:
	case SIS_BLAME_LITERAL:
	case SIS_BLAME_LOAD:
		return true;
	case SIS_BLAME_CALL:
		return ends_construct(p, value);
	case SIS_BLAME_DEFINE:
	case SIS_BLAME_MEET:
		if (has_result(p, v, r) && r->n < BLOCKS_MOST)
			r->value[r->n++] = value;
		return true;
	case SIS_BLAME_RETURN:
		return p->number.at[v->operand.first] == FLOW_NONE || has_result(p, v, r);
	default:
		return false;
	}
}

static bool is_tail(const struct flow_program *p, const struct flow_function *f, uint32_t call)
{
	struct result r = { { call }, 1 };
	uint32_t block = p->value.at[call].block, at = call + 1, end = f->value.first + f->value.n;
	for (int steps = 0; steps < BLOCKS_MOST && block < f->block.n; steps++) {
		for (; at < end && p->value.at[at].block == block; at++)
			if (!passes_on(p, at, &r))
				return false;
		const struct flow_range next = p->block.at[f->block.first + block].successor;
		if (next.n != 1)
			return next.n == 0;
		block = p->number.at[next.first];
		at = (uint32_t)search_first(i, f->value.first, end, p->value.at[i].block < block);
	}
	return false;
}

static struct tail_call tail_call_of(const struct flow_program *p, uint32_t value)
{
	const struct flow_value *v = &p->value.at[value];
	if (v->op == SIS_BLAME_FORK)
		return (struct tail_call){ value, v->object, TAIL_FUNCTION, true };
	const struct flow_object *called = flow_called_object(p, value);
	uint32_t callee = called ? called->function : FLOW_NONE;
	return (struct tail_call){ value, callee,
		!called ? TAIL_POINTER : callee == FLOW_NONE ? TAIL_ROUTINE : TAIL_FUNCTION,
		false };
}

const struct tail_calls *tail_calls_of(struct tail_calls *all, const struct flow_program *p,
				       uint32_t function)
{
	const struct flow_function *f = &p->function.at[function];
	struct tail_calls *list = &all[function];
	if (list->known)
		return list;
	list->known = true;
	for (uint32_t i = f->value.first; i < f->value.first + f->value.n; i++) {
		uint8_t op = p->value.at[i].op;
		if ((op == SIS_BLAME_CALL || op == SIS_BLAME_FORK) && is_tail(p, f, i))
			*vec_push(&list->call) = tail_call_of(p, i);
	}
	return list;
}
