/* SPDX-License-Identifier: BSD-3-Clause */
/* targets.c - finds the functions that the calls of a program run. One thread calls it. Direct
 * calls and calls that samples show are facts. Other calls through pointers may run the functions
 * that function_pointers.c finds. */
#include "base/sort.h"
#include "blame/flow/graph_internal.h"

void flow_analysis_add_call(struct flow_analysis *a, uint32_t value, uint32_t function)
{
	*vec_push(&a->fact) = (uint64_t)value << 32 | function;
}

static void add_target(struct flow_analysis *a, uint32_t value, uint32_t function)
{
	if (function != FLOW_NONE)
		flow_analysis_add_call(a, value, function);
}

static int order_facts(const void *a, const void *b)
{
	return ORDER(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* Makes the lists of the targets of all values from the facts. */
static void list_targets(struct flow_analysis *a)
{
	size_t at = 0, values = a->program->value.n;
	vec_sort(&a->fact, order_facts);
	a->target.n = 0;
	for (uint32_t i = 0; i < values; i++) {
		a->first_target[i] = (uint32_t)a->target.n;
		for (; at < a->fact.n && a->fact.at[at] >> 32 == i; at++)
			if (at == 0 || a->fact.at[at] != a->fact.at[at - 1])
				*vec_push(&a->target) = (uint32_t)a->fact.at[at];
	}
	a->first_target[values] = (uint32_t)a->target.n;
}

void flow__find_targets(struct flow_analysis *a)
{
	const struct flow_program *p = a->program;
	for (uint32_t i = 0; i < p->value.n; i++) {
		const struct flow_value *v = &p->value.at[i];
		if (v->op == SIS_BLAME_FORK)
			add_target(a, i, v->object);
		if (v->op != SIS_BLAME_CALL)
			continue;
		add_target(a, i, flow_function_at(p, flow_operand(p, i, 0)));
		/* a library's routine may call functions whose addresses it gets */
		for (uint32_t k = 1; flow_calls_library(p, i) && k < v->operand.n; k++)
			add_target(a, i, flow_function_at(p, flow_operand(p, i, k)));
	}
	a->first_target = mem_alloc(a->program->value.n + 1, sizeof *a->first_target);
	list_targets(a);
	if (flow__function_pointers(a))
		list_targets(a);
}
